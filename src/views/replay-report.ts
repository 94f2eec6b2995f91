import type { Difference } from '../core/journal.ts';
import { decisionSentence } from './sentences.ts';

/** What a second look at every decision found. */
export function replayReport(loop: string, entries: number, differences: readonly Difference[]): readonly string[] {
  if (differences.length === 0)
    return [`Replay of ${loop}: ${entries} entries, the chain holds, every decision comes out the same.`];
  return [
    `Replay of ${loop}: ${entries} entries, ${differences.length} decided differently.`,
    ...differences.flatMap(({ revision, recorded, recomputed }) => [
      `#${revision}`,
      `  recorded:   ${decisionSentence(recorded)}`,
      `  recomputed: ${decisionSentence(recomputed)}`,
      ...(decisionSentence(recorded) === decisionSentence(recomputed)
        ? [`  in numbers: ${JSON.stringify(recorded)} / ${JSON.stringify(recomputed)}`]
        : []),
    ]),
    'The journal was written by hand, or by a tireless whose rules were others. Please report it if you did neither.',
  ];
}
