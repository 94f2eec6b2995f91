import { rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { VerificationView } from '../../src/views/verification.ts';
import { commitAll, git, put } from '../support/a-project.ts';
import type { User } from '../support/run-cli.ts';
import { aUser } from '../support/run-cli.ts';

/** A test of two lines of shell that counts as node's does, and starts as fast as a shell. */
const SHOP = {
  'src/add.sh': 'echo $(($1 - $2))\n',
  'test/add.test.sh':
    'echo 1..1; [ "$(sh src/add.sh 1 2)" = 3 ] && echo "ok 1 - adds" || { echo "not ok 1 - adds"; exit 1; }\n',
};
const SOLVED = { 'src/add.sh': 'echo $(($1 + $2))\n' };
const CHEATED = { 'test/add.test.sh': 'echo 1..1; echo "ok 1 - adds"\n' };
const CHECK = ['--check', 'unit:: sh test/add.test.sh'];
const DOES_NOTHING = ['--agent-command', 'cat >/dev/null', '--max-iterations', '1'];

/** A loop whose agent did nothing: what comes after it is judged. */
async function aLoop(flags: readonly string[] = CHECK): Promise<{ readonly user: User; readonly loop: string }> {
  const user = aUser(SHOP);
  git(user.project, 'init', '-q');
  commitAll(user.project);
  const { stdout } = await user.tireless(['run', 'goal', ...DOES_NOTHING, ...flags, '--json']);
  return { user, loop: (JSON.parse(stdout) as { id: string }).id };
}

const viewIn = (text: string): VerificationView => JSON.parse(text) as VerificationView;

describe('tireless verify', () => {
  it('proves honest work with its numbers of tests, and changes nothing of the loop', async () => {
    const { user, loop } = await aLoop();
    const before = await user.tireless(['explain', loop, '--json']);
    put(user.project, SOLVED);
    const { code, stdout, stderr } = await user.tireless(['verify']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`loop ${loop}: the work tree is proven (clean room)`);
    expect(stdout).toMatch(/✓ unit passed in the clean room \(1 test ran, 1 at the start; /);
    expect(await user.tireless(['explain', loop, '--json'])).toEqual(before);
  });

  it('proves nothing by a changed test, and names it', async () => {
    const { user, loop } = await aLoop();
    put(user.project, CHEATED);
    const { code, stdout } = await user.tireless(['verify', loop]);
    expect(code).toBe(1);
    expect(stdout).toContain('the work tree is not proven');
    expect(stdout).toContain('✗ unit failed in the clean room (it fails there; ');
    expect(stdout).toContain('it passes with the changed files below');
    expect(stdout).toContain('changed files that judge the work:\n    test/add.test.sh modified');
    expect(viewIn((await user.tireless(['verify', '--json'])).stdout)).toMatchObject({
      loop,
      ref: null,
      proven: false,
      level: null,
      checks: [{ name: 'unit', where: 'room', result: 'failed', restsOnChanges: true, before: { ran: 1, failed: 1 } }],
      changes: [{ path: 'test/add.test.sh', change: 'modified' }],
      noRoom: null,
    });
  });

  it('judges a branch, whatever stands in the work tree', async () => {
    const { user } = await aLoop([...CHECK, '--check-matches', 'src/add.sh::1 \\+ ', '--check-git-clean']);
    git(user.project, 'checkout', '-q', '-b', 'solved');
    put(user.project, SOLVED);
    commitAll(user.project);
    git(user.project, 'checkout', '-q', '-b', 'cheated');
    put(user.project, { ...SHOP, ...CHEATED });
    commitAll(user.project);
    const solved = await user.tireless(['verify', '--ref', 'solved', '--json']);
    const commit = git(user.project, 'rev-parse', 'solved').trim();
    expect(viewIn(solved.stdout)).toMatchObject({ proven: true, level: 'room', ref: 'solved', commit });
    expect(solved.code).toBe(0);
    const cheated = await user.tireless(['verify', '--ref', 'cheated']);
    expect(cheated.code).toBe(1);
    expect(cheated.stdout).toContain('test/add.test.sh modified');
    expect(git(user.project, 'status', '--porcelain')).toBe('');
  });

  it('refuses a name that is no commit, as wrong usage', async () => {
    const { user } = await aLoop();
    const { code, stderr } = await user.tireless(['verify', '--ref', 'no-such-branch']);
    expect(code).toBe(2);
    expect(stderr).toContain('There is no commit "no-such-branch"');
  });

  it('tells neither name nor output of a hold-out check', async () => {
    const { user } = await aLoop([...CHECK, '--holdout', 'secret:: echo the-secret-says; grep -q + src/add.sh']);
    const { code, stdout } = await user.tireless(['verify']);
    expect(code).toBe(1);
    expect(stdout).toContain('✗ hold-out 1 failed');
    expect(stdout).not.toContain('secret');
    const json = await user.tireless(['verify', '--json']);
    expect(json.stdout).not.toContain('secret');
    // Its own agent could ask as often as it likes: there it is not even run.
    const { stdout: own } = await user.tireless(['verify'], { env: { TIRELESS_LOOP: viewIn(json.stdout).loop } });
    expect(own).toContain('✗ unit');
    expect(own).not.toContain('hold-out');
  });

  it('says why there is no room', async () => {
    const { user, loop } = await aLoop([...CHECK, '--no-room']);
    const without = await user.tireless(['verify', loop]);
    expect(without.code).toBe(1);
    expect(without.stdout).toContain('no clean room: the loop was started without one');
    const other = await aLoop();
    rmSync(path.join(other.user.home, 'loops', other.loop, 'baseline'), { recursive: true });
    const lost = await other.user.tireless(['verify']);
    expect(lost.code).toBe(1);
    expect(lost.stdout).toContain('no clean room: the copy kept at the start is missing or damaged');
  });
});
