/** A loop whose agent is at work stays with its session, unless the user insists; sessions here are processes that live and die. */
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import type { User } from '../support/run-cli.ts';
import { aUser } from '../support/run-cli.ts';
import type { HookAnswer as Answer } from '../support/session-hook.ts';
import { onlyLoop, typedFields } from '../support/session-hook.ts';

const HOOK = fileURLToPath(new URL('../../dist/hook.cjs', import.meta.url));

/** What a host is to its hooks: the living process that starts them, with a shell in between. One line in, one line out. */
const HOST = `
  const { spawnSync } = require('node:child_process');
  require('node:readline').createInterface({ input: process.stdin }).on('line', (input) => {
    const ran = spawnSync('/bin/sh', ['-c', '"$@"; exit $?', 'sh', process.execPath, ...process.argv.slice(1)], { input, encoding: 'utf8' });
    if (ran.stderr !== '') throw new Error(ran.stderr);
    console.log(JSON.stringify(ran.stdout));
  });
`;

type Session = {
  readonly hook: (name: string, fields: object) => Promise<Answer>;
  readonly typed: (args: string) => Promise<Answer>;
  readonly stop: (said: string) => Promise<Answer>;
  readonly die: () => Promise<void>;
};

function aSession(user: User, id: string): Session {
  const child: ChildProcess = spawn(process.execPath, ['-e', HOST, HOOK, 'claude-code', user.home], {
    env: user.env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  if (child.stdout === null) throw new Error('no output');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const hook = async (name: string, fields: object): Promise<Answer> => {
    child.stdin?.write(`${JSON.stringify({ session_id: id, cwd: user.project, hook_event_name: name, ...fields })}\n`);
    const { value } = await lines.next();
    const said = JSON.parse(String(value)) as string;
    return said === '' ? {} : (JSON.parse(said) as Answer);
  };
  return {
    hook,
    typed: (args) => hook('UserPromptExpansion', typedFields('ralph', args)),
    stop: (said) => hook('Stop', { last_assistant_message: said, background_tasks: [] }),
    die: async () => {
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    },
  };
}

it('is not taken by accident; with --force it is, both users read it, and the journal tells it', async () => {
  const user = aUser();
  const [first, second] = [aSession(user, 'session-1'), aSession(user, 'session-2')];
  await first.typed('"paint the shed" --check "test -f done.txt"');
  await first.stop('one');
  const { loop } = onlyLoop(user).state;

  const offered = await second.hook('SessionStart', { source: 'startup' });
  expect(offered.systemMessage).toMatch(/is running in another session \(paint the shed; active \S+ ago\)/u);
  const refused = await second.typed('--resume');
  expect(refused.reason).toMatch(/active \d+ seconds? ago in another session \(session-1 of claude-code\)/u);
  expect(refused.reason).toContain(`/ralph --resume ${loop} --force`);
  const outside = await user.tireless(['resume', loop, '--session', 'session-3']);
  expect(outside).toMatchObject({ code: 1, stderr: expect.stringContaining('LOOP_BUSY') as unknown });
  expect(outside.stderr).toContain(`tireless resume ${loop} --session session-3 --force`);
  const driven = await user.tireless(['resume', loop, '--agent-command', 'cat > /dev/null']);
  expect(driven).toMatchObject({ code: 1, stderr: expect.stringContaining('LOOP_BUSY') as unknown });
  expect(driven.stderr).toContain(`tireless resume ${loop} --agent-command 'cat > /dev/null' --force\n`);
  expect(onlyLoop(user).state).toMatchObject({ counted: 1, session: { id: 'session-1' } });

  const taken = await second.typed(`--resume ${loop} --force`);
  expect(taken.hookSpecificOutput?.additionalContext).toContain('the user took the loop to another session');
  expect(taken.systemMessage).toContain('taken from the session session-1');
  expect(onlyLoop(user).state).toMatchObject({ counted: 1, faults: 0, session: { id: 'session-2' } });

  const told = await first.stop('two');
  expect(told.hookSpecificOutput).toBeUndefined();
  expect(told.systemMessage).toContain(
    `loop ${loop} (paint the shed) was taken to the session session-2 of claude-code`,
  );
  expect(await first.stop('three')).toEqual({});
  expect((await second.stop('two')).hookSpecificOutput?.additionalContext).toContain('iteration 3');
  const { stdout } = await user.tireless(['explain', loop]);
  expect(stdout).toMatch(/The user took the loop with --force from the session session-1 of claude-code, whose agent/u);
  expect(stdout).not.toContain('ended during a turn');
  expect((await user.tireless(['replay', loop])).code).toBe(0);
});

it('is free when the program of its session is gone, when its turn failed, and when it waits', async () => {
  const user = aUser();
  const [first, second, third] = [
    aSession(user, 'session-1'),
    aSession(user, 'session-2'),
    aSession(user, 'session-3'),
  ];
  await first.typed('"paint the shed" --check "test -f done.txt"');
  await first.die();
  expect((await second.typed('--resume')).hookSpecificOutput?.additionalContext).toContain('paint the shed');
  await second.hook('StopFailure', { error: 'server_error' });
  expect((await third.typed('--resume')).hookSpecificOutput?.additionalContext).toContain('paint the shed');
  await third.stop('one');
  expect((await second.typed('--resume')).reason).toContain('ago in another session (session-3 of claude-code)');
  await third.stop('<blocked>which blue?</blocked>');
  expect((await user.tireless(['resume', '--session', 'session-4'])).code).toBe(0);
  expect(onlyLoop(user).state.session?.id).toBe('session-4');
});
