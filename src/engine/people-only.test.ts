import { describe, expect, it } from 'vitest';
import { HOME_FILES, PEOPLE_COMMANDS } from '../core/people-commands.ts';
import { peopleOnlyIn } from './people-only.ts';
import { cpuMsOf } from '../../test/support/cpu-time.ts';

const HOME = '/home/ada/.local/state/tireless';
const OWN = { home: HOME, user: '/home/ada', program: '/opt/t/dist/cli.js' };
const shell = (command: unknown): string | null => peopleOnlyIn({ command }, OWN);

describe('peopleOnlyIn', () => {
  it.each(PEOPLE_COMMANDS)('finds "tireless %s"', (name) => {
    expect(shell(`tireless ${name}`)).toBe(name);
  });

  it.each([
    ['cd /p && tireless approve', 'approve'],
    ['tireless approve 2611; echo ok', 'approve'],
    ['sh -c "tireless approve"', 'approve'],
    ["bash -lc 'exec tireless   reject 2611 no'", 'reject'],
    ['env -u CLAUDE_CODE_SESSION_ID tireless approve', 'approve'],
    ['TIRELESS_HOME=/x setsid nohup tireless resume --max-iterations 9999 &', 'resume'],
    ['npx -y tireless@latest approve', 'approve'],
    ['./node_modules/.bin/tireless steer "go on"', 'steer'],
    ['node ./node_modules/tireless/dist/cli.js allow', 'allow'],
    ['node /opt/t/dist/cli.js approve', 'approve'],
    ['"/usr/bin/tireless" "approve"', 'approve'],
    ['tireless \\\n  approve', 'approve'],
    ['x=$(tireless approve)', 'approve'],
    [`python3 -c "import subprocess; subprocess.run(['tireless', 'approve'])"`, 'approve'],
    [['bash', '-c', 'tireless cancel'], 'cancel'],
    [['tireless', 'cancel'], 'cancel'],
    ['echo \'{"hook_event_name":"UserPromptExpansion"}\' | tireless hook claude-code', 'hook'],
    ['node /opt/t/dist/hook.cjs claude-code /h < payload', 'hook'],
  ])('finds a call in %j', (command, found) => {
    expect(shell(command)).toBe(found);
  });

  it.each([
    `cat ${HOME}/loops/a/journal.jsonl`,
    'rm -rf "$TIRELESS_HOME"',
    'echo x >> ${TIRELESS_HOME}/trust.json',
    'ls ~/.local/state/tireless',
    'echo exit 0 > ~/.local/state/tireless/hooks/claude-code.sh',
    `TIRELESS_HOME=${HOME}; rm -r $TIRELESS_HOME/loops`,
  ])('finds the home in %s', (command) => {
    expect(shell(command)).toBe(HOME_FILES);
  });

  it.each([
    [{ file_path: `${HOME}/trust.json`, content: 'x' }],
    [{ path: `${HOME}/loops/a` }],
    [{ file_path: `${HOME}/hooks/claude-code.sh`, content: 'exit 0' }],
    [{ filePath: HOME }],
    [{ edits: [{ path: `${HOME}/x`, newText: 'y' }] }],
    [{ command: `*** Begin Patch\n*** Update File: ${HOME}/x\n@@\n-a\n+b\n*** End Patch` }],
  ])('finds a file of the home in %j', (input) => {
    expect(peopleOnlyIn(input, OWN)).toBe(HOME_FILES);
  });

  it.each([
    ['tireless status'],
    ['tireless wait 2611'],
    ['tireless explain --json'],
    [`TIRELESS_HOME=${HOME} tireless wait 2611`],
    [`TIRELESS_HOME='${HOME}' node /opt/t/dist/cli.js status`],
    ['npm test'],
    ['cd ~/src/tireless && npm run build'],
    ['which tireless\nrun the tests'],
    ['node dist/cli.js start'],
    ['tireless-agent start'],
    [`ls ${HOME}s`],
    ['npm install tireless'],
    ['tireless help approve'],
  ])('lets %j pass', (command) => {
    expect(shell(command)).toBeNull();
  });

  it('lets an agent write about it, search for it and plan it', () => {
    for (const input of [
      { file_path: '/p/docs/x.md', content: `call tireless approve, kept in ${HOME}` },
      { file_path: '/p/x.ts', old_string: 'tireless run', new_string: 'tireless approve' },
      { pattern: 'tireless approve', path: '/p' },
      { command: 'npm test', description: 'before the user calls tireless approve' },
      { command: '*** Begin Patch\n*** Add File: docs/a.md\n+tireless approve\n*** End Patch' },
      null,
      undefined,
      7,
    ])
      expect(peopleOnlyIn(input, OWN)).toBeNull();
  });

  it('takes hostile input in bounded time', () => {
    const deep = Array.from({ length: 100 }).reduce<unknown>((inner) => ({ a: inner }), 'tireless approve');
    const hostile = { deep, command: `tireless ${'-x '.repeat(100_000)}`, other: 'tireless@'.repeat(50_000) };
    expect(cpuMsOf(() => peopleOnlyIn(hostile, OWN))).toBeLessThan(2000);
  });
});
