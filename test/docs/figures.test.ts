import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { HOST_IDS } from '../../src/hosts/ids.ts';
import { ROOT } from './pages.ts';

describe('README.md', () => {
  it('has the figures that the tests have', () => {
    const tool = path.join(ROOT, 'tools/figures.mjs');
    const { status, stderr } = spawnSync(process.execPath, [tool], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it('names every agent that tireless knows, with its page', () => {
    const readme = readFileSync(path.join(ROOT, 'README.md'), 'utf8');
    const rows = HOST_IDS.filter(
      (id) => readme.includes(`(docs/hosts/${id}.md)`) && readme.includes(`--agent ${id}\``),
    );
    expect(rows).toEqual([...HOST_IDS]);
  });
});
