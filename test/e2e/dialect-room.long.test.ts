import { describe, expect, it } from 'vitest';
import { put } from '../support/a-project.ts';
import { aStop } from '../support/hook-payload.ts';
import { aUser } from '../support/run-cli.ts';

const FILE = '.claude/ralph-loop.local.md';
const TEXT =
  '---\nactive: true\niteration: 1\nmax_iterations: 9\ncompletion_promise: "DONE"\n---\n\nmake the shop work\n';
const HONEST = 'grep -q yes src.txt\n';

describe('a loop in a state file, with a check of the user', () => {
  it('finishes through the clean room, and is called work tree only', async () => {
    const user = aUser({ [FILE]: TEXT, 'check.sh': HONEST, 'src.txt': 'no\n' });
    const flags = ['hook', 'claude-code', '--dialect', 'ralph-loop', '--reply', 'json', '--check', 'sh check.sh'];
    const stop = async (said: string): Promise<{ readonly reason?: string }> => {
      const stdin = aStop(user.project, `${said}\n<promise>DONE</promise>`);
      const { stdout } = await user.tireless(flags, { stdin, env: { CLAUDE_PROJECT_DIR: user.project } });
      return JSON.parse(stdout) as { readonly reason?: string };
    };
    expect((await stop('one')).reason).toContain('The check `sh check.sh` fails');
    put(user.project, { 'check.sh': 'exit 0\n' });
    expect((await stop('two')).reason).toContain('- `check.sh`: modified');
    put(user.project, { 'check.sh': HONEST, 'src.txt': 'yes\n' });
    expect((await stop('three')).reason).toBeUndefined();
    const { stdout } = await user.tireless(['explain']);
    expect(stdout).toContain('in the clean room "sh check.sh" passed');
    expect(stdout).toContain('completed, verified (work tree only)');
    const status = JSON.parse((await user.tireless(['history', '--json'])).stdout) as { readonly loops: unknown };
    expect(status.loops).toMatchObject([{ status: 'completed' }]);
  });
});
