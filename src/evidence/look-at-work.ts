import type { ProbeAnswer, ProbeBatch, ProbeRequest } from '../engine/ports.ts';
import { answerFromFiles } from './answer-from-files.ts';
import { runStepsSync } from './command-steps.ts';

/**
 * For compositions that run no checks: the answer from the files of the project. `undefined` = no answer: it needs a command of the user,
 * or the look failed. Never throws.
 */
export function lookAtWork({ cwd }: ProbeBatch, request: ProbeRequest): ProbeAnswer | undefined {
  try {
    return answerFromFiles(cwd, request, runStepsSync);
  } catch {
    return undefined;
  }
}
