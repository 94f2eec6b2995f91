import type { CheckResult, TestCounts } from '../core/evidence.ts';
import type { CheckSpec, LoopId } from '../core/loop.ts';
import { failingOutput } from '../core/failing-part/failing-part.ts';
import { missingCommandLine } from '../core/missing-command.ts';
import { tailWithin } from '../core/quoting.ts';
import { cleanText, outputFingerprint } from './check-output.ts';
import type { ReportMarks } from './check-reports.ts';
import { markReports, readReports } from './check-reports.ts';
import type { CommandAnswer, Steps } from './command-steps.ts';
import { countTests } from './test-counts/count-tests.ts';

/** For each stream. Tests are counted in all of it: the summaries of several test programs are spread over their output. */
const OUTPUT_BYTES_MAX = 1024 * 1024;
/** For each stream; the part that goes into the fingerprint. */
const FINGERPRINT_BYTES_MAX = 64 * 1024;
/** The output of a passed check matters little. */
const PASSED_TAIL_BYTES_MAX = 512;

export type CheckRun = {
  readonly loop: LoopId;
  readonly cwd: string;
  readonly check: CheckSpec;
  readonly command: string;
  readonly tailBytesMax: number;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Receives its whole output, without colours, and without the middle if it is long. */
  readonly onOutput?: (text: string) => void;
};

/**
 * Runs one command in the project directory, without a terminal and with empty input; when its time is over, all its processes are ended.
 * Exit code 0 is `passed`; a command that could not be run or did not end is `unknown`; everything else, including an end by a signal, is
 * `failed`. A check with a report passes only with a report written by this run.
 */
export function* runCheck(run: CheckRun): Steps<CheckResult> {
  const { check, cwd } = run;
  const reportsBefore = markReports(cwd, check.reports ?? []);
  const answer = yield {
    command: run.command,
    cwd,
    environment: { ...run.environment, TIRELESS_LOOP: run.loop, TIRELESS_CHECK: check.name },
    tailBytesMax: OUTPUT_BYTES_MAX,
    timeoutMs: check.timeoutMs,
    ofUser: true,
  };
  const { name } = check;
  const { durationMs } = answer;
  const exit = answer.exitCode === null ? {} : { exitCode: answer.exitCode };
  const output = cleanText(answer.mixed).trim();
  run.onOutput?.(output);
  const tail = tailOf(answer, output, run.tailBytesMax);
  if (answer.timedOut) return { name, result: 'unknown', unknown: 'timed-out', durationMs, tail };
  if (isNotRunnable(answer, output))
    return { name, result: 'unknown', unknown: 'not-runnable', durationMs, ...exit, tail };
  const { tests, lack } = countRun(run, reportsBefore, answer);
  const counted = tests === undefined ? {} : { tests };
  const base = { name, durationMs, ...exit };
  if (answer.exitCode === 0 && lack !== undefined)
    return {
      ...base,
      result: 'unknown',
      unknown: 'no-report',
      tail: tailWithin(`${tail}\n[${lack}]`, run.tailBytesMax),
    };
  if (answer.exitCode === 0) return { ...base, result: 'passed', tail, ...counted };
  return { ...base, result: 'failed', tail, ...counted, fingerprint: fingerprintOf(answer, cwd) };
}

type Counted = { readonly tests?: TestCounts | undefined; readonly lack?: string };

/** A check that names its reports is counted only by them, because its output can claim anything. */
function countRun({ check, cwd }: CheckRun, before: ReportMarks, answer: CommandAnswer): Counted {
  const { reports = [] } = check;
  if (reports.length === 0) return { tests: countTests({ stdout: answer.stdoutTail, stderr: answer.stderrTail }) };
  const read = readReports(cwd, reports, before);
  return read.kind === 'counted' ? { tests: read.tests } : { lack: `no report: ${cleanText(read.why)}` };
}

/**
 * Exit codes 126 and 127 are the shell's only if the shell also prints an error under its own name: a test script may return them too, and
 * the `sh` that npm or make starts does not use its full path. Windows has no such code, only a message.
 */
function isNotRunnable(answer: CommandAnswer, output: string): boolean {
  const { trouble, troubleDetail = '' } = answer;
  if (trouble === 'cwd-missing' || trouble === 'spawn-failed') return true;
  if (trouble !== undefined) return troubleDetail.startsWith('/bin/sh:');
  if (answer.exitCode === 0) return false;
  return (
    missingCommandLine(output) !== undefined ||
    /is not recognized as an internal or external command/.test(answer.stderrTail)
  );
}

function tailOf(answer: CommandAnswer, output: string, bytesMax: number): string {
  const notes = [
    ...(answer.trouble === 'cwd-missing' || answer.trouble === 'spawn-failed' ? [answer.troubleDetail ?? ''] : []),
    ...(answer.signal === null || answer.timedOut ? [] : [`[ended by ${answer.signal}]`]),
    ...(answer.leftovers === 0 ? [] : [`[ended what it left running: ${answer.leftovers}]`]),
  ];
  const whole = [...(output === '' ? [] : [output]), ...notes].join('\n');
  // For a check that took too long, the last output matters most.
  if (answer.timedOut) return tailWithin(whole, bytesMax);
  if (answer.exitCode === 0) return tailWithin(whole, Math.min(bytesMax, PASSED_TAIL_BYTES_MAX));
  return failingOutput(whole, bytesMax);
}

function fingerprintOf(answer: CommandAnswer, cwd: string): string {
  const { exitCode, stdoutBytes, stderrBytes } = answer;
  const cut = { stdout: stdoutBytes > FINGERPRINT_BYTES_MAX, stderr: stderrBytes > FINGERPRINT_BYTES_MAX };
  return outputFingerprint({
    exitCode,
    stdout: fingerprintPart(answer.stdoutTail),
    stderr: fingerprintPart(answer.stderrTail),
    cut,
    cwd,
  });
}

/** Leaves out the first line, which may have been cut. */
function fingerprintPart(text: string): string {
  return Buffer.from(text).subarray(-FINGERPRINT_BYTES_MAX).toString();
}
