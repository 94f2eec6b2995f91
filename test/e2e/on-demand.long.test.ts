/** Hooks that are in the settings only while a loop is armed, with a real process per event. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openFileStore } from '../../src/stores/file-store.ts';
import type { Entry } from '../../src/core/journal.ts';
import { aStop } from '../support/hook-payload.ts';
import type { User } from '../support/run-cli.ts';
import { aUser } from '../support/run-cli.ts';

type Session = {
  readonly user: User;
  readonly type: (args: string) => Promise<string>;
  readonly stop: (message: string) => Promise<string>;
  readonly hooks: () => string;
  readonly entries: () => readonly Entry[];
};

async function aSession(files: Readonly<Record<string, string>> = {}): Promise<Session> {
  const user = aUser({ 'README.md': 'A shop.\n', ...files });
  expect(await user.tireless(['install', 'claude-code', '--on-demand', '--yes'])).toMatchObject({ code: 0 });
  const hear = async (stdin: string): Promise<string> =>
    (await user.tireless(['hook', 'claude-code'], { stdin, env: { CLAUDE_PROJECT_DIR: user.project } })).stdout;
  const settings = path.join(user.project, '.claude/settings.local.json');
  return {
    user,
    type: (args) =>
      hear(
        aStop(user.project, '', {
          hook_event_name: 'UserPromptExpansion',
          command_name: 'ralph',
          command_args: args,
        }),
      ),
    stop: (message) => hear(aStop(user.project, message)),
    hooks: () => (existsSync(settings) ? readFileSync(settings, 'utf8') : ''),
    entries: () => {
      const store = openFileStore({ home: user.home });
      const [loaded] = store.list({ ended: 'both' });
      const entries = loaded === undefined ? [] : store.entries(loaded.state.loop);
      store.close();
      return entries;
    },
  };
}

it('are no work of the agent: an agent that does nothing makes no progress', async () => {
  const { type, stop, hooks, entries } = await aSession();
  await type('"paint the shed" --check "test -f done.txt"');
  expect(hooks()).toContain('"Stop"');
  await stop('not yet');
  const seen = entries().flatMap(({ evidence }) => evidence.workspace ?? []);
  expect(seen).toHaveLength(2);
  expect(new Set(seen).size).toBe(1);
});

it('are removed when the loop cannot begin', async () => {
  const { type, hooks } = await aSession();
  expect(await type('"paint the shed" --check "no-such-program-here"')).toContain('no-such-program-here');
  expect(hooks()).not.toContain('"Stop"');
});

it('come back with a halted loop that is resumed', async () => {
  const { user, type, stop, hooks } = await aSession();
  await type('"paint the shed" --max-iterations 1');
  expect(await stop('not yet')).toContain('halted');
  expect(hooks()).not.toContain('"Stop"');
  const [loop = ''] = /\d{6}-\d{4}-\w{6}/u.exec((await user.tireless(['history'])).stdout) ?? [];
  expect(await user.tireless(['resume', loop, '--max-iterations', '3'])).toMatchObject({ stderr: '' });
  expect(hooks()).toContain('"Stop"');
  expect(await stop('not yet, again')).toContain('iteration 3');
});
