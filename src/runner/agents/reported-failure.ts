import type { Failure } from '../../core/event.ts';
import type { SpawnResult } from '../../system/spawn.ts';
import { classifyFailure, DETAIL_MAX } from '../failure-class.ts';
import { errorChannel, type PrintedOutput } from './error-channel.ts';

/** What an agent reports about its own failure, in fields; `text` is the fallback if no field has the answer. */
export type FailureReport = {
  /** The HTTP status of the service behind the agent. */
  readonly status?: number | undefined;
  readonly text: string;
  /** The account cannot be used before this time, in epoch seconds. */
  readonly resetsAt?: number | undefined;
};

const NOT_ALLOWED: ReadonlySet<number> = new Set([401, 402, 403]);

export function reportedFailure(report: FailureReport, exitCode: number | null, nowMs: number): Failure {
  const status = report.status === undefined ? '' : `HTTP ${report.status}: `;
  const detail = `${status}${report.text.trim() === '' ? 'it gave no reason' : report.text.trim()}`.slice(
    0,
    DETAIL_MAX,
  );
  return { ...classOf(report, nowMs), detail, ...(exitCode === null ? {} : { exitCode }) };
}

function classOf({ status, text, resetsAt }: FailureReport, nowMs: number): Pick<Failure, 'class' | 'resumeAt'> {
  if (resetsAt !== undefined) return classOfText(`usage limit reached, resets_at: ${Math.floor(resetsAt)}`, nowMs);
  if (status !== undefined && NOT_ALLOWED.has(status)) return { class: 'fatal' };
  if (status === 429) return classOfText(`rate limit: ${text}`, nowMs);
  if (status === 408 || (status ?? 0) >= 500) return { class: 'transient' };
  return classOfText(text, nowMs);
}

function classOfText(text: string, nowMs: number): Pick<Failure, 'class' | 'resumeAt'> {
  const read = classifyFailure({ exitCode: 1, signal: null, stderrTail: text, stdoutTail: '', nowMs });
  const resumeAt = read?.resumeAt;
  return { class: read?.class ?? 'unknown', ...(resumeAt === undefined ? {} : { resumeAt }) };
}

/**
 * A stream that broke off before it reported how the turn ended: an old client, a wrong option, a signal. Only output outside the stream is evidence:
 * the stream itself contains the words of the agent and of its tools. `isStream`: at least one line of it was read.
 */
export function brokenStream(
  result: SpawnResult,
  asked: Pick<PrintedOutput, 'prompt' | 'command'>,
  { isStream, nowMs }: { readonly isStream: boolean; readonly nowMs: number },
): Failure {
  const printed = { ...asked, stderrTail: result.stderrTail, stdoutTail: isStream ? '' : result.stdoutTail };
  const failure = classifyFailure({ ...result, ...errorChannel(printed), nowMs });
  if (failure !== null) return failure;
  const printedText = printed.stderrTail.trim() === '' ? printed.stdoutTail.trim() : printed.stderrTail.trim();
  const end = printedText === '' ? '' : `: ${printedText.slice(-DETAIL_MAX / 2)}`;
  return { class: 'unknown', detail: `it exited without reporting how its turn ended${end}`, exitCode: 0 };
}
