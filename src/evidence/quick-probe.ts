import type { ProbeAnswer, ProbeBatch, ProbeRequest } from '../engine/ports.ts';
import { runBriefly } from '../system/run-briefly.ts';
import type { CommandAnswer, CommandAsk, Steps } from './command-steps.ts';
import { tickedCriteria } from './criteria-ticks.ts';
import { lookAtProtected } from './protected-files.ts';
import { workspaceFingerprint } from './workspace-fingerprint.ts';

/**
 * What a stop can find out at once. `undefined` = it needs more: checks (they have a time limit and leave processes behind), or a look that
 * failed. Only git is started here, which leaves nothing running, so it needs no supervision.
 */
export function probeNow({ cwd, requests }: ProbeBatch): readonly ProbeAnswer[] | undefined {
  const answers: ProbeAnswer[] = [];
  for (const request of requests) {
    const answer = answerTo(cwd, request);
    if (answer === undefined) return undefined;
    answers.push(answer);
  }
  return answers;
}

function answerTo(cwd: string, request: ProbeRequest): ProbeAnswer | undefined {
  switch (request.kind) {
    case 'workspace': {
      const fingerprint = runNow(workspaceFingerprint(cwd, request.except));
      return fingerprint === undefined ? undefined : { kind: 'workspace', fingerprint };
    }
    case 'protected':
      return { kind: 'protected', facts: lookAtProtected(cwd, request.globs, request.accepted) };
    case 'criteria':
      return { kind: 'criteria', met: tickedCriteria(cwd, request.tracker, request.texts) };
    case 'check':
    case 'holder':
    case 'room-copy':
    case 'room-baseline':
    case 'room':
    case 'work':
      return undefined;
  }
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
