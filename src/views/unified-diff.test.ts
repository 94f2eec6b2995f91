import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unifiedDiff } from './unified-diff.ts';

describe('unifiedDiff', () => {
  it('shows a change with three lines around it, as diff -u does', () => {
    const before = 'a\nb\nc\nd\ne\nf\ng\nh\n';
    const after = 'a\nb\nc\nd\nE\nf\ng\nh\n';
    expect(unifiedDiff({ file: '/x', before, after })).toBe(
      '--- /x\n+++ /x\n@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+E\n f\n g\n h\n',
    );
    expect(unifiedDiff({ file: '/x', before, after: before })).toBe('');
  });

  it('shows a new file, a removed one, and an end without a line end', () => {
    expect(unifiedDiff({ file: '/x', before: null, after: 'a\n' })).toBe('--- /dev/null\n+++ /x\n@@ -0,0 +1 @@\n+a\n');
    expect(unifiedDiff({ file: '/x', before: 'a', after: null })).toBe(
      '--- /x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n\\ No newline at end of file\n',
    );
  });

  it('is exact: git makes the one file out of the other by it', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'tireless-diff-'));
    const text = fc
      .tuple(fc.array(fc.constantFrom('{', '}', '"a"', '', '\t"b",\r'), { minLength: 1, maxLength: 25 }), fc.boolean())
      .map(([lines, hasEnd]) => `${lines.join('\n')}${hasEnd ? '\n' : '.'}`);
    const pairs = fc.sample(fc.tuple(text, text), { seed: 7, numRuns: 60 }).filter(([a, b]) => a !== b);
    const fileOf = (at: number): string => `file-${at}`;
    for (const [at, [before]] of pairs.entries()) writeFileSync(path.join(folder, fileOf(at)), before);
    const patches = pairs.map(([before, after], at) => unifiedDiff({ file: fileOf(at), before, after }));
    const { status, stderr } = spawnSync('git', ['apply', '-p0', '--whitespace=nowarn', '-'], {
      cwd: folder,
      input: patches.join(''),
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    for (const [at, [, after]] of pairs.entries())
      expect(readFileSync(path.join(folder, fileOf(at)), 'utf8')).toBe(after);
    rmSync(folder, { recursive: true });
  });
});
