import { expect } from 'vitest';
import { replay } from '../../src/core/journal.ts';
import { openFileStore } from '../../src/stores/file-store.ts';
import type { Aftermath } from './hammer.ts';

/**
 * Everything acknowledged is recorded; everything recorded is acknowledged, unless its writer was killed; nothing is recorded twice, and
 * nothing is missing in between.
 */
export function expectNothingLost(home: string, { acked, tried, killed }: Aftermath): void {
  const entries = openFileStore({ home }).entries('a');
  const recorded = entries.flatMap(({ event }) => (event.kind === 'turn-ended' ? [event.mark?.messageHash ?? ''] : []));
  const ackedMarks = new Set(acked.map(({ mark }) => mark));

  expect(acked.length).toBeGreaterThan(0);
  expect(entries.map((entry) => entry.revision)).toEqual(entries.map((_, index) => index + 1));
  expect(new Set(recorded).size).toBe(recorded.length);
  expect(ackedMarks.size).toBe(acked.length);
  expect([...ackedMarks].filter((mark) => !recorded.includes(mark))).toEqual([]);
  expect(recorded.filter((mark) => !tried.includes(mark))).toEqual([]);
  const unheard = recorded.filter((mark) => !ackedMarks.has(mark));
  expect(unheard.filter((mark) => !killed.has(mark.split('.')[0] ?? ''))).toEqual([]);

  const iterations = acked.filter(({ decision }) => decision === 'continue').map(({ iteration }) => iteration);
  expect(new Set(iterations).size).toBe(iterations.length);
  const { loop, differences } = replay(entries);
  expect(differences).toEqual([]);
  expect(loop?.state.counted).toBe(recorded.length);
}
