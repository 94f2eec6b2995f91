import type { CheckResult } from '../core/evidence.ts';
import type { CheckSpec, LoopId } from '../core/loop.ts';
import { tailWithin } from '../core/quoting.ts';
import { cleanText, outputFingerprint } from './check-output.ts';
import type { CommandAnswer, Steps } from './command-steps.ts';

/** Of each stream; what the fingerprint is made of. */
const OUTPUT_BYTES_MAX = 64 * 1024;
/** A check that passed has little to tell. */
const PASSED_TAIL_BYTES_MAX = 512;

export type CheckRun = {
  readonly loop: LoopId;
  readonly cwd: string;
  readonly check: CheckSpec;
  readonly command: string;
  readonly tailBytesMax: number;
};

/**
 * One command, in the project directory, without a terminal and with an empty input, ended whole when its time is over. Exit code 0 is
 * `passed`; what could not be run or did not end is `unknown`; everything else, also an end by a signal, is `failed`.
 */
export function* runCheck(run: CheckRun): Steps<CheckResult> {
  const { check, cwd } = run;
  const answer = yield {
    command: run.command,
    cwd,
    environment: { TIRELESS_LOOP: run.loop, TIRELESS_CHECK: check.name },
    tailBytesMax: OUTPUT_BYTES_MAX,
    timeoutMs: check.timeoutMs,
  };
  const { name } = check;
  const { durationMs } = answer;
  const exit = answer.exitCode === null ? {} : { exitCode: answer.exitCode };
  const tail = tailOf(answer, run.tailBytesMax);
  if (answer.timedOut) return { name, result: 'unknown', unknown: 'timed-out', durationMs, tail };
  if (isNotRunnable(answer)) return { name, result: 'unknown', unknown: 'not-runnable', durationMs, ...exit, tail };
  if (answer.exitCode === 0) return { name, result: 'passed', durationMs, ...exit, tail };
  return { name, result: 'failed', durationMs, ...exit, tail, fingerprint: fingerprintOf(answer, cwd) };
}

/**
 * Exit codes 126 and 127 are the shell's only if it also says so under its own name: a test script may give them too, and the `sh` that
 * npm or make starts does not call itself by its whole path. On Windows there is no such code, only a sentence.
 */
function isNotRunnable(answer: CommandAnswer): boolean {
  const { trouble, troubleDetail = '' } = answer;
  if (trouble === 'cwd-missing' || trouble === 'spawn-failed') return true;
  if (trouble !== undefined) return troubleDetail.startsWith('/bin/sh:');
  return answer.exitCode !== 0 && /is not recognized as an internal or external command/.test(answer.stderrTail);
}

function tailOf(answer: CommandAnswer, bytesMax: number): string {
  const notes = [
    ...(answer.trouble === 'cwd-missing' || answer.trouble === 'spawn-failed' ? [answer.troubleDetail ?? ''] : []),
    ...(answer.signal === null || answer.timedOut ? [] : [`[ended by ${answer.signal}]`]),
    ...(answer.leftovers === 0 ? [] : [`[left ${answer.leftovers} running; ended]`]),
  ];
  const said = cleanText(answer.mixedTail).trim();
  const whole = [...(said === '' ? [] : [said]), ...notes].join('\n');
  return tailWithin(
    whole,
    answer.exitCode === 0 && !answer.timedOut ? Math.min(bytesMax, PASSED_TAIL_BYTES_MAX) : bytesMax,
  );
}

function fingerprintOf(answer: CommandAnswer, cwd: string): string {
  const { exitCode, stdoutTail: stdout, stderrTail: stderr } = answer;
  const cut = { stdout: answer.stdoutBytes > OUTPUT_BYTES_MAX, stderr: answer.stderrBytes > OUTPUT_BYTES_MAX };
  return outputFingerprint({ exitCode, stdout, stderr, cut, cwd });
}
