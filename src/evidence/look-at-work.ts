import type { ProbeAnswer, ProbeBatch, ProbeRequest } from '../engine/ports.ts';
import { runStepsSync } from './command-steps.ts';
import { tickedCriteria } from './criteria-ticks.ts';
import { lookAtProtected } from './protected-files.ts';
import { workspaceFingerprint } from './workspace-fingerprint.ts';

/**
 * For compositions that run no checks: what the files of the project show. `undefined` = not looked at: it needs a command of the user, or
 * the look failed. Never throws.
 */
export function lookAtWork({ cwd }: ProbeBatch, request: ProbeRequest): ProbeAnswer | undefined {
  try {
    switch (request.kind) {
      case 'workspace':
        return { kind: 'workspace', fingerprint: runStepsSync(workspaceFingerprint(cwd, request.except)) };
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
  } catch {
    return undefined;
  }
}
