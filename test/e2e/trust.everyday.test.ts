import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aUser } from '../support/run-cli.ts';

const config = (command: string) =>
  JSON.stringify({ version: 1, checks: [{ name: 'repo', command }], limits: { maxIterations: 2 } });
const RUN = ['run', 'goal', '--agent-command', 'cat >/dev/null; touch done', '--check-exists', 'done'];

describe("a repository's own checks", () => {
  it('do not run before they are allowed, and the refusal names the command that allows them', async () => {
    const user = aUser({ '.tireless/config.json': config('touch pwned') });
    const { code, stderr } = await user.tireless(RUN);
    expect(code).toBe(1);
    expect(stderr).toContain(`CONFIG_NOT_ALLOWED: Cannot run the checks of ${user.project}/.tireless/config.json`);
    expect(stderr).toContain(`tireless allow ${user.project}`);
    expect(existsSync(path.join(user.project, 'pwned'))).toBe(false);
  });

  it('run once allowed, lower the limits, and are asked about again after a change', async () => {
    const user = aUser({ '.tireless/config.json': config('test -e done') });
    const allowed = await user.tireless(['allow']);
    expect([allowed.code, allowed.stdout]).toEqual([
      0,
      expect.stringMatching(/as it is now:\n {2}repo: test -e done\n {2}iterations: at most 2\n$/u),
    ]);
    const ran = await user.tireless([...RUN, '--json']);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      limits: { iterationsMax: 2 },
      checks: [{ name: 'exists done' }, { name: 'repo', result: 'passed' }],
    });
    writeFileSync(path.join(user.project, '.tireless/config.json'), config('touch pwned'));
    expect((await user.tireless(RUN)).stderr).toMatch(/CONFIG_NOT_ALLOWED.*it changed since you allowed it/u);
    expect((await user.tireless(['allow'])).stdout).toContain('as it is now (it changed since you allowed it):');
  });

  it('can be denied before there are any, and that can be undone', async () => {
    const user = aUser();
    expect((await user.tireless(['deny'])).stdout).toContain('config.json, which does not exist yet; "tireless allow"');
    expect((await user.tireless(['allow'])).stdout).toContain('is no longer denied; it does not exist');
    expect((await user.tireless(['allow'])).code).toBe(2);
  });

  it('are left out, and said to be, once denied', async () => {
    const user = aUser({ '.tireless/config.json': config('touch pwned') });
    await user.tireless(['deny']);
    const { code, stderr } = await user.tireless([...RUN, '--max-iterations', '3']);
    expect(code).toBe(0);
    expect(stderr).toContain('is denied and ignored');
    expect(existsSync(path.join(user.project, 'pwned'))).toBe(false);
    expect((await user.tireless(['allow'])).code).toBe(0);
  });

  it('can be left out for one run', async () => {
    const user = aUser({ '.tireless/config.json': config('touch pwned') });
    expect((await user.tireless([...RUN, '--no-repository-checks'])).code).toBe(0);
  });

  it('are refused when their file cannot be understood', async () => {
    const user = aUser({ '.tireless/config.json': '{"version":1,"cheks":[]}' });
    const { code, stderr } = await user.tireless(RUN);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/CONFIG_INVALID: .*cheks.* --no-repository-checks/)]);
    const allowed = await user.tireless(['allow']);
    expect(allowed.stderr).toMatch(/CONFIG_INVALID: .*cheks.*Correct it, then run "tireless allow" again\.$/m);
  });
});
