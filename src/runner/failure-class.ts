import type { Failure } from '../core/event.ts';
import { classifyError } from '../core/failure-class.ts';
import type { SpawnResult } from '../system/spawn.ts';

export type ObservedEnd = Pick<
  SpawnResult,
  'exitCode' | 'signal' | 'stderrTail' | 'stdoutTail' | 'trouble' | 'troubleDetail'
> & {
  /** An error that the client printed on stdout in its own form; absent or empty = none. */
  readonly stdoutError?: string;
  readonly nowMs: number;
};

export const DETAIL_MAX = 600;
const STDERR_LINES_READ = 20;
const CHARS_READ = 4000;

/**
 * Why a turn failed; `null` = it ended normally (exit code 0). Only error channels are read: the end of stderr, or, if that is empty, an
 * error that the client printed on stdout in its own form. An agent that writes about rate limits in its work is not rate-limited.
 */
export function classifyFailure(seen: ObservedEnd): Failure | null {
  const trouble = troubleOf(seen);
  if (trouble !== null) return trouble;
  if (seen.exitCode === 0 && seen.signal === null) return null;
  const errors = lastLines(seen.stderrTail, STDERR_LINES_READ);
  const isSilent = errors.replace(WARNINGS, '').trim() === '';
  const found = classifyError(isSilent ? (seen.stdoutError ?? '') : errors, seen.nowMs);
  const isMisused = found.class === 'unknown' && UNKNOWN_OPTION.test(errors);
  return { ...(isMisused ? { class: 'fatal' } : found), ...described(seen) };
}

/**
 * Exit codes 126 and 127 come from our shell only if it reports the error under its own name: a tool inside the agent may return them too, and that
 * is an ordinary failure.
 */
function troubleOf(seen: ObservedEnd): Failure | null {
  const { trouble, troubleDetail: detail = '', stderrTail } = seen;
  if (trouble === undefined) {
    return NOT_RECOGNIZED.test(stderrTail) && seen.exitCode !== 0 ? fatal(seen, notFound(stderrTail.trim())) : null;
  }
  const isOfShell = detail.startsWith('/bin/sh:');
  switch (trouble) {
    case 'not-found':
      return isOfShell ? fatal(seen, notFound(detail)) : null;
    case 'not-executable':
      return isOfShell ? fatal(seen, `the agent command cannot be executed: ${detail}`) : null;
    case 'cwd-missing':
      return fatal(seen, `the project directory is gone: ${detail}`);
    case 'spawn-failed':
      return { class: 'unknown', detail: `the agent could not be started: ${detail}`.slice(0, DETAIL_MAX) };
  }
}

/** The message of cmd.exe, which has no exit code of its own for this. */
const NOT_RECOGNIZED = /is not recognized as an internal or external command/u;

function notFound(detail: string): string {
  return `the agent command was not found: ${detail}`;
}

function fatal(seen: ObservedEnd, detail: string): Failure {
  return {
    class: 'fatal',
    detail: detail.slice(0, DETAIL_MAX),
    ...(seen.exitCode === null ? {} : { exitCode: seen.exitCode }),
  };
}

function described(seen: ObservedEnd): Pick<Failure, 'detail' | 'exitCode'> {
  const how = seen.exitCode === null ? `ended by ${seen.signal ?? 'an unknown signal'}` : `exit code ${seen.exitCode}`;
  const printedText = seen.stderrTail.trim() === '' ? seen.stdoutTail.trim() : seen.stderrTail.trim();
  const detail =
    printedText === '' ? `${how}, and no message` : `${how}: ${printedText.slice(-(DETAIL_MAX - how.length - 2))}`;
  return { detail, ...(seen.exitCode === null ? {} : { exitCode: seen.exitCode }) };
}

function lastLines(text: string, count: number): string {
  return text.trimEnd().split('\n').slice(-count).join('\n').slice(-CHARS_READ);
}

/** From Node, or marked as warnings: successful turns print them too. */
const WARNINGS = /^(?:\(node:\d+\)|\(Use `node|\W{0,3}warn(?:ing)?\b).*$/gimu;

/** At the start of a line of stderr: the agent's tools complain about options too, but further into the line. */
const UNKNOWN_OPTION =
  /^(?:[\w./-]+: )?(?:error: )?(?:unknown|unrecogni[sz]ed|unexpected|invalid|illegal|bad) (?:option|argument|flag|command-line option)s?\b/imu;
