import type { ProbeAnswer, ProbeRequest } from '../engine/ports.ts';
import type { Steps } from './command-steps.ts';
import { tickedCriteria } from './criteria-ticks.ts';
import { lookAtProtected } from './protected-files.ts';
import { workspaceFingerprint } from './workspace-fingerprint.ts';

/** The answer that the files of the project give. `undefined` = a look at them is not enough, or `run` got no answer from git. */
export function answerFromFiles(
  cwd: string,
  request: ProbeRequest,
  run: <R>(steps: Steps<R>) => R | undefined,
): ProbeAnswer | undefined {
  switch (request.kind) {
    case 'workspace': {
      const fingerprint = run(workspaceFingerprint(cwd, request.except));
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
