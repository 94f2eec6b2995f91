import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aStop } from '../support/hook-payload.ts';
import { aUser } from '../support/run-cli.ts';

const FILE = '.stravinsky/continuation-loop.md';
const LOOP =
  '---\niteration_count: 1 # of 9\nmax_iterations: 9\ncompletion_promise: all green\nactive: true\n---\nmake it\n';

describe('Stravinsky from a shell', () => {
  it('deletes the file on success, keeps what stood in it, and shows the loop in the history', async () => {
    const user = aUser({ [FILE]: LOOP });
    const hook = async (message: string) =>
      user.tireless(['hook', 'claude-code', '--dialect', 'stravinsky'], { stdin: aStop(user.project, message) });
    expect(await hook('not yet')).toMatchObject({ code: 2, stdout: '' });
    expect(await hook('ALL green')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('is complete'),
    });
    expect(existsSync(path.join(user.project, FILE))).toBe(false);
    const [loop = ''] = readdirSync(path.join(user.home, 'loops'));
    const archive = path.join(user.home, 'loops', loop, 'archive');
    expect(readdirSync(archive).map((name) => readFileSync(path.join(archive, name), 'utf8'))).toEqual([
      LOOP.replace('iteration_count: 1', 'iteration_count: 2'),
    ]);
    expect((await user.tireless(['history'])).stdout).toMatch(/completed +unverified.*make it/u);
    expect((await user.tireless(['replay', loop])).stdout).toContain('every decision is the same');
  });

  it('starts the next loop over a file whose loop has reached its maximum, and keeps the old file', async () => {
    const spent = LOOP.replace('max_iterations: 9', 'max_iterations: 2');
    const user = aUser({ [FILE]: spent });
    const stdin = aStop(user.project, 'not yet');
    expect(await user.tireless(['hook', 'claude-code', '--dialect', 'stravinsky'], { stdin })).toMatchObject({
      code: 0,
    });
    const started = await user.tireless(['start', 'again', '--dialect', 'stravinsky']);
    expect(started).toMatchObject({ code: 0, stderr: '' });
    const file = path.join(user.project, FILE);
    expect(readFileSync(`${file}.old`, 'utf8')).toBe(spent.replace('iteration_count: 1', 'iteration_count: 2'));
    expect(readFileSync(file, 'utf8')).toContain('iteration_count: 1\nmax_iterations: 10\n');
    // What waits for its first stop is not written over.
    expect(await user.tireless(['start', 'once more', '--dialect', 'stravinsky'])).toMatchObject({ code: 1 });
  });
});
