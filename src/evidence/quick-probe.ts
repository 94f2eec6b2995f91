import type { ProbeAnswer, ProbeBatch } from '../engine/ports.ts';
import { runBriefly } from '../system/run-briefly.ts';
import { answerFromFiles } from './answer-from-files.ts';
import type { CommandAnswer, CommandAsk, Steps } from './command-steps.ts';

/**
 * Answers that a stop can get at once. `undefined` = it needs more: checks (they have a time limit and leave processes behind), or a look
 * that failed. Only git is started here, which leaves nothing running, so it needs no supervision.
 */
export function probeNow({ cwd, requests }: ProbeBatch): readonly ProbeAnswer[] | undefined {
  const answers: ProbeAnswer[] = [];
  for (const request of requests) {
    const answer = answerFromFiles(cwd, request, runNow);
    if (answer === undefined) return undefined;
    answers.push(answer);
  }
  return answers;
}

function runNow<R>(steps: Steps<R>): R | undefined {
  let step = steps.next();
  while (step.done !== true) {
    const answer = run(step.value);
    if (answer === undefined) return undefined;
    step = steps.next(answer);
  }
  return step.value;
}

/** `undefined` = no complete answer in time; the slow way may get one. */
function run({ command, cwd, environment, tailBytesMax, timeoutMs }: CommandAsk): CommandAnswer | undefined {
  const ended = runBriefly({ command, cwd, environment, bytesMax: tailBytesMax, timeoutMs });
  if (ended === undefined) return undefined;
  return {
    exitCode: ended.exitCode,
    signal: null,
    stdoutTail: ended.stdout.toString('utf8'),
    stderrTail: '',
    stdoutBytes: ended.stdout.length,
    stderrBytes: 0,
    durationMs: 0,
    leftovers: 0,
    timedOut: false,
    mixed: '',
  };
}
