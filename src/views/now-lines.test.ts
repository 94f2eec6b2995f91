import { describe, expect, it } from 'vitest';
import type { ActivityLine } from '../core/activity-line.ts';
import { sessionNowLines, workLines } from './now-lines.ts';

const beganAt = '2026-11-17T10:00:00.000Z';
const nowMs = Date.parse('2026-11-17T10:03:12.000Z');
const line = (kind: ActivityLine['kind'], text: string, second: number): ActivityLine => ({
  at: `2026-11-17T10:03:${String(second).padStart(2, '0')}.000Z`,
  iteration: 2,
  kind,
  text,
});

describe('what a loop does now', () => {
  it.each([
    [[line('message', 'I think', 1), line('tool', 'Bash npm test', 2)], 'used Bash npm test (10s ago)'],
    [[line('message', 'one\n  two\n\n', 12)], 'two (0ms ago)'],
    [[{ ...line('check', 'red', 11), check: 'npm test', result: 'failed' as const }], 'check npm test failed (1s ago)'],
    [[line('message', 'words', 3), line('message', '\n', 4), line('dropped', '', 5)], 'words (9s ago)'],
  ])('says how long it works, and what was last: %j', (lines, last) => {
    expect(workLines({ beganAt, lines, nowMs })).toEqual(['  now:       working for 3m 12s', `  last:      ${last}`]);
  });

  it('says nothing of what was printed in an earlier iteration', () => {
    const lines = [{ ...line('message', 'old', 1), at: '2026-11-17T09:59:59.000Z' }];
    expect(workLines({ beganAt, lines, nowMs })).toEqual(['  now:       working for 3m 12s']);
  });

  it('stays within a terminal of 80 columns', () => {
    const [, last = ''] = workLines({ beganAt, lines: [line('tool', 'Bash '.repeat(100), 1)], nowMs });
    expect(last.length).toBeLessThanOrEqual(80);
  });

  it('knows of a session when its iteration began, and what its transcript shows', () => {
    const known = { beganAt, activeMs: null, nowMs };
    expect(sessionNowLines(known)).toEqual(['  now:       iteration began 3m 12s ago']);
    expect(sessionNowLines({ ...known, activeMs: nowMs - 4000 })).toEqual([
      '  now:       iteration began 3m 12s ago, last activity 4s ago',
    ]);
    const before = Date.parse(beganAt) - 35_000;
    expect(sessionNowLines({ ...known, activeMs: before })).toEqual(['  now:       iteration began 3m 12s ago']);
  });
});
