import { describe, expect, it } from 'vitest';
import { commitAll, git, put } from '../support/a-project.ts';
import type { User } from '../support/run-cli.ts';
import { aUser } from '../support/run-cli.ts';

const PROJECT = {
  'src/add.sh': 'echo $(($1 + $2))\n',
  'test/add.test.sh': '[ "$(sh src/add.sh 1 2)" = 4 ] || exit 1\n',
  '.gitattributes': '* -diff\n',
};
/** The test is wrong, so the agent corrects it, and stands by it. */
const AGENT = `cat >/dev/null; printf '%s\\n' '[ "$(sh src/add.sh 1 2)" = 3 ] || exit 1' > test/add.test.sh; printf '\\033[2J' >> test/add.test.sh; echo '<promise>DONE</promise>'`;

async function aWaitingLoop(): Promise<{ readonly user: User; readonly loop: string }> {
  const user = aUser(PROJECT);
  git(user.project, 'init', '-q');
  commitAll(user.project);
  const { code, stdout } = await user.tireless([
    'run',
    'goal',
    '--agent-command',
    AGENT,
    '--check',
    'unit:: sh test/add.test.sh || :; grep -q 3 test/add.test.sh',
    '--max-iterations',
    '4',
    '--json',
  ]);
  expect(code).toBe(4);
  return { user, loop: (JSON.parse(stdout) as { id: string }).id };
}

describe('tireless approve, about work that the clean room has doubts about', () => {
  it('shows the diff of the files that judge, and accepts exactly this work', async () => {
    const { user, loop } = await aWaitingLoop();
    const status = (await user.tireless(['status', loop])).stdout;
    expect(status).toContain(
      'paused: "unit" passes in the project but fails in the clean room, and the agent kept its change',
    );
    expect(status).toContain('test/add.test.sh modified');
    expect(status).toContain(`look:      tireless approve ${loop} --show`);
    const shown = await user.tireless(['approve', loop, '--show']);
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain('diff --git a/test/add.test.sh b/test/add.test.sh');
    expect(shown.stdout).toContain('-[ "$(sh src/add.sh 1 2)" = 4 ] || exit 1');
    expect(shown.stdout).toContain('+[ "$(sh src/add.sh 1 2)" = 3 ] || exit 1');
    expect(shown.stdout).not.toContain('\u001B');
    expect((await user.tireless(['status', loop])).stdout).toContain('paused');
    const approved = await user.tireless(['approve', loop]);
    expect(approved.code).toBe(0);
    expect(approved.stdout).toContain('+[ "$(sh src/add.sh 1 2)" = 3 ] || exit 1');
    expect(approved.stdout).toContain('completed, verified (approval)');
  });

  it('refuses an approval of work that has changed since', async () => {
    const { user, loop } = await aWaitingLoop();
    put(user.project, { 'src/other.sh': 'echo new\n' });
    const { code, stdout, stderr } = await user.tireless(['approve']);
    expect(code).toBe(1);
    expect(stdout).toContain('The files have changed since the loop paused');
    expect(stderr).toContain('the files have changed since you were asked about them');
    expect((await user.tireless(['status', loop])).stdout).toContain('paused');
  });

  it('has nothing to show where no loop asks', async () => {
    const { code, stdout } = await aUser().tireless(['approve', '--show']);
    expect(code).toBe(0);
    expect(stdout).toContain('no loop in this project asks about changed files');
  });
});
