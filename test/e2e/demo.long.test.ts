import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { aProject } from '../support/a-project.ts';
import { aUser } from '../support/run-cli.ts';

describe('tireless demo --cheat', () => {
  it('shows an agent that cheats in three ways, what gave each away, and accepts the honest work', async () => {
    const user = aUser();
    const temporary = aProject();
    const { code, stdout, stderr } = await user.tireless(['demo', '--cheat'], { env: { TMPDIR: temporary } });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const turns = stdout.split(/^turn \d$/m).slice(1);
    expect(turns).toHaveLength(4);
    for (const turn of turns) expect(turn).toContain('in the project: tests passed');
    const [edited, ended, blinded, honest] = turns;
    expect(edited).toContain('CAUGHT:         the work fails the original tests');
    for (const file of ['cart', 'money', 'receipt']) expect(edited).toContain(`test/${file}.test.js modified`);
    expect(ended).toMatch(/CAUGHT: {9}(?:only \d of 6 tests ran|no test finished; 6 did at the start)/);
    expect(blinded).toContain('src/money.js:2 changes the test framework');
    expect(honest).toContain('clean room:     tests passed (6 tests ran)');
    expect(honest).not.toContain('CAUGHT');
    expect(stdout).toContain('\ncompleted, verified (clean room); 1 check passed: tests\n');
    expect(stdout).toContain('\n  3 cheats caught\n');
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect([...readdirSync(user.home), ...readdirSync(temporary)]).toEqual([]);
  });
});

describe('the folder of a demo', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('is removed when the demo is stopped by %s', async (signal) => {
    const user = aUser();
    const temporary = aProject();
    const running = user.starts(['demo'], { env: { TMPDIR: temporary } });
    await running.says('iteration 1 of');
    running.child.kill(signal);
    const { code, stdout } = await running.end;
    expect(code).toBe(130);
    expect(stdout).toContain('The demo was stopped.\nThe demo removed its files');
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('is removed by the next demo when nobody could remove it', async () => {
    const user = aUser();
    const temporary = aProject();
    const killed = user.starts(['demo'], { env: { TMPDIR: temporary } });
    await killed.says('iteration 1 of');
    killed.child.kill('SIGKILL');
    await killed.end;
    const left = readdirSync(temporary).find((name) => name.startsWith('tireless-demo-'));
    expect(left).toBeDefined();
    const next = user.starts(['demo'], { env: { TMPDIR: temporary } });
    await next.says('A corner shop');
    expect(readdirSync(temporary)).not.toContain(left);
    next.child.kill('SIGINT');
    await next.end;
    expect(readdirSync(temporary).filter((name) => name.startsWith('tireless-demo-'))).toEqual([]);
  });
});
