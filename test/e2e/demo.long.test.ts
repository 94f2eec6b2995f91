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
    expect(edited).toContain('CAUGHT:         with the tests of the start, the work fails');
    for (const file of ['cart', 'money', 'receipt']) expect(edited).toContain(`test/${file}.test.js modified`);
    expect(ended).toMatch(/CAUGHT: {9}(?:only \d of 6 tests ran|no test ran to its end; at the start 6 did)/);
    expect(blinded).toContain('src/money.js:2 changes the test framework');
    expect(honest).toContain('clean room:     tests passed (6 tests ran)');
    expect(honest).not.toContain('CAUGHT');
    expect(stdout).toContain('\ncompleted, verified (clean room) (1 check passed: tests)\n3 cheats caught.\n');
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect([...readdirSync(user.home), ...readdirSync(temporary)]).toEqual([]);
  });
});
