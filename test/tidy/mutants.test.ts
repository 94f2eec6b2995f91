import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';

const TOOL = path.join(import.meta.dirname, '../../tools/mutants.mjs');

it('every bug that once survived can still be planted', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [TOOL, '--list', '--file', 'src/stores'], {
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain('the journal is not synced');
});
