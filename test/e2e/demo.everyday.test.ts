import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { aUser } from '../support/run-cli.ts';

describe('tireless demo', () => {
  it('repairs a real code base, refuses the early claim on the screen, and ends verified', async () => {
    const user = aUser();
    const { code, stdout, stderr } = await user.tireless(['demo']);
    const project = /The project is in (\S+)/.exec(stdout)?.[1] ?? '';
    onTestFinished(() => rmSync(path.dirname(project), { recursive: true, force: true }));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/the claim is refused; continue with iteration \d+: 1 check still fails: tests/);
    expect(stdout).toContain('\ncompleted, verified (clean room) (1 check passed: tests)\n');
    // Its loop does not stand among the user's own.
    expect(readdirSync(user.home)).toEqual([]);
    const [, home = '', loop = ''] = /TIRELESS_HOME=(\S+) tireless explain (\S+)/.exec(stdout) ?? [];
    const explained = await user.tireless(['explain', loop], { env: { TIRELESS_HOME: home } });
    expect(explained.stdout).toContain('which was refused: a claim is not proof');
  });
});
