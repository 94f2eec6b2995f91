import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { pages, ROOT } from './pages.ts';

describe('docs/library.md', () => {
  it('begins with a whole loop in five lines, which commands.long.test.ts runs', () => {
    const [first] = pages().find(({ name }) => name === 'docs/library.md')?.fences ?? [];
    expect(first?.words).toEqual(['run.js']);
    expect(first?.lines.filter((line) => line !== '').length).toBeLessThanOrEqual(5);
    expect(first?.lines.join('\n')).toContain('await runLoop({');
  });

  it('has the signatures that the type declarations have', () => {
    const tool = path.join(ROOT, 'tools/signatures.mjs');
    const { status, stderr } = spawnSync(process.execPath, [tool], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});
