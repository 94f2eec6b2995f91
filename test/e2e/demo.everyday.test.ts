import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { aProject } from '../support/a-project.ts';
import { aUser } from '../support/run-cli.ts';

describe('tireless demo', () => {
  it(
    'repairs a real code base, refuses the early claim on the screen, and ends verified',
    { timeout: 60_000 },
    async () => {
      const user = aUser();
      const { code, stdout, stderr } = await user.tireless(['demo', '--keep'], { env: { TMPDIR: aProject() } });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      // What the agent says, the test that fails and why, and why the claim is refused.
      expect(stdout).toContain('  › Exactly 50.00 got no discount. The comparison now includes it.\n');
      expect(stdout).toContain('      gives the discount at 50.00 and above: got 0, expected 500\n');
      expect(stdout).toMatch(
        /the claim is refused; continue with iteration \d+: 1 check still fails: tests\n {4}"DONE" is a/,
      );
      expect(stdout).toContain('\ncompleted, verified (clean room); 1 check passed: tests\n');
      expect(stdout.split('\n').filter((line) => line.length > 80 && !line.includes('TIRELESS_HOME='))).toEqual([]);
      expect(stdout).toMatch(
        / run "make the tests pass" (?:\\\n {4})?--agent claude-code (?:\\\n {4})?--check "npm test"\n$/,
      );
      // Its loop does not stand among the user's own.
      expect(readdirSync(user.home)).toEqual([]);
      const [, home = '', loop = ''] = /TIRELESS_HOME=(\S+) .* explain (\S+)/.exec(stdout) ?? [];
      const explained = await user.tireless(['explain', loop], { env: { TIRELESS_HOME: home } });
      expect(explained.stdout).toContain('which was refused: a claim is not proof');
    },
  );
});
