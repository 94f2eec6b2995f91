import type { Decision } from '../core/decision.ts';
import type { Difference, Loop } from '../core/journal.ts';
import { decisionSentence } from './sentences.ts';

/** What recomputing every decision found. */
export function replayReport(
  { spec, state: { loop } }: Loop,
  entries: number,
  differences: readonly Difference[],
): readonly string[] {
  const sentence = (decision: Decision): string => decisionSentence(decision, spec.dialect);
  if (differences.length === 0)
    return [`Replay of ${loop}: ${entries} entries, the chain is intact, every decision is the same.`];
  return [
    `Replay of ${loop}: ${entries} entries, ${differences.length} decided differently.`,
    ...differences.flatMap(({ revision, recorded, recomputed }) => [
      `#${revision}`,
      `  recorded:   ${sentence(recorded)}`,
      `  recomputed: ${sentence(recomputed)}`,
      ...(sentence(recorded) === sentence(recomputed)
        ? [`  in numbers: ${JSON.stringify(recorded)} / ${JSON.stringify(recomputed)}`]
        : []),
    ]),
    'The journal was edited by hand, or written by a version of tireless with different rules. If neither is true, please report it.',
  ];
}
