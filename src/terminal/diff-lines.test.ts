import { describe, expect, it } from 'vitest';
import { diffLines } from './diff-lines.ts';

describe('diffLines', () => {
  it('tells heads, places, added and removed lines apart', () => {
    const text = 'diff --git a/t b/t\n--- a/t\n+++ b/t\n@@ -1 +1 @@\n-old\n+new\n same\n';
    expect(diffLines(text).map(({ tone }) => tone)).toEqual([
      'strong',
      'strong',
      'strong',
      'quiet',
      'bad',
      'good',
      'plain',
    ]);
  });

  it('lets nothing drive the terminal, and has an end', () => {
    const lines = diffLines(`+\u001B[2J${'x'.repeat(1000)}\n`.repeat(1000));
    expect(lines).toHaveLength(601);
    expect(lines.at(-1)?.text).toBe('… and 400 more lines, not shown');
    expect(lines.every(({ text }) => text.length <= 240 && !text.includes('\u001B'))).toBe(true);
  });
});
