/** The packaged plugins, installed by the real clients themselves: each loops on its own. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { HostId } from '../../src/hosts/host.ts';
import { openFileStore } from '../../src/stores/file-store.ts';
import type { AgentWorld } from './support/agent-world.ts';
import { agentWorld, expectSuccess } from './support/agent-world.ts';
import { hostsToTry } from './support/clients.ts';
import { loopsIn, NASTY, shownTo } from './support/host-suite.ts';

const PLUGINS = fileURLToPath(new URL('../../plugins', import.meta.url));
const BUILT = fileURLToPath(new URL('../../dist/', import.meta.url));

/** The client's own commands, as the user of the world. */
function client(world: AgentWorld, ...args: readonly string[]): void {
  const { environment } = world.launcher.headless(world.place, { prompt: '' });
  const env = { ...world.environment, ...environment };
  const ran = spawnSync(world.place.client, args, { cwd: world.project, env, encoding: 'utf8' });
  if (ran.status !== 0) throw new Error(`${args.join(' ')} ended with ${ran.status}:\n${ran.stdout}\n${ran.stderr}`);
}

/** Where a client copies a plugin, it has only the note of a tireless that was used before. */
function useOnce(world: AgentWorld): void {
  expect(world.tireless('start', 'something else', '--session', 'another').exitCode).toBe(0);
  expect(world.tireless('cancel').exitCode).toBe(0);
  expect(existsSync(path.join(world.tirelessHome, 'launch'))).toBe(true);
}

type Way = {
  readonly install: (world: AgentWorld) => void;
  readonly command: string;
  readonly args?: readonly string[];
};

const WAYS: readonly (Way & { readonly host: HostId; readonly title: string })[] = [
  {
    host: 'claude-code',
    title: 'from its marketplace',
    command: '/tireless:ralph',
    install: (world) => {
      client(world, 'plugin', 'validate', `${PLUGINS}/claude-code`);
      client(world, 'plugin', 'marketplace', 'add', `${PLUGINS}/claude-code`);
      client(world, 'plugin', 'install', 'tireless@tireless');
    },
  },
  {
    host: 'claude-code',
    title: 'by its folder',
    command: '/tireless:ralph',
    args: ['--plugin-dir', `${PLUGINS}/claude-code`],
    install: () => undefined,
  },
  {
    host: 'codex',
    title: 'from its marketplace',
    command: '/ralph',
    // The user trusts them on the screen of Codex.
    args: ['--dangerously-bypass-hook-trust'],
    install: (world) => {
      useOnce(world);
      client(world, 'plugin', 'marketplace', 'add', `${PLUGINS}/codex`, '--json');
      client(world, 'plugin', 'add', 'tireless@tireless', '--json');
    },
  },
  {
    host: 'gemini',
    title: 'as an extension that is copied',
    command: '/ralph',
    install: (world) => {
      useOnce(world);
      client(world, 'extensions', 'validate', `${PLUGINS}/gemini`);
      client(world, 'extensions', 'install', `${PLUGINS}/gemini`, '--consent');
    },
  },
];

for (const { host, title: way, command, args = [], install } of WAYS) {
  const [entry] = hostsToTry([host]);
  describe.skipIf(entry?.absent !== null)(`the plugin of ${entry?.title}, ${way}`, () => {
    it('takes a nasty goal, refuses a false claim, and goes on until the check passes', async () => {
      const done = (): string => path.join(world.project, 'done.txt');
      const world = await agentWorld(host, ({ turn }) =>
        turn === 1
          ? { text: 'All is well.\n<promise>DONE</promise>' }
          : turn === 2
            ? { write: { path: done(), content: 'x' } }
            : { text: 'Now it is.\n<promise>DONE</promise>' },
      );
      install(world);
      const prompt = `${command} "${NASTY}" --check "test -f done.txt" --claim DONE`;
      const result = await world.run({ prompt, args });
      expectSuccess(result);
      const loop = loopsIn(world).find(({ status }) => status !== 'cancelled');
      expect(loop).toMatchObject({ status: 'completed', outcome: { verified: true }, counted: 2 });
      expect(shownTo(result)).toContain('You said it is done, but the work is not accepted yet.');
      const store = openFileStore({ home: world.tirelessHome });
      expect(store.load(loop?.loop ?? '')?.spec.goal).toBe(NASTY);
      store.close();
      expect(readdirSync(world.project).toSorted()).toEqual(['.git', 'README.md', 'done.txt']);
    });

    it.skipIf(args.length > 0)(
      `is proven by "tireless doctor"${args.length > 0 ? ' (SKIPPED: it is there only with words on the command line)' : ''}`,
      async () => {
        const world = await agentWorld(host, () => ({ status: 500, message: 'not the model of the doctor' }));
        install(world);
        const { stdout } = await world.tirelessWithAgents('doctor', host);
        expect(stdout).toMatch(/ok +installed +as a plugin/u);
        expect(stdout).toMatch(/ok +fires /u);
      },
    );

    it('leaves a session without a loop alone', async () => {
      const world = await agentWorld(host, () => ({ text: 'a short answer' }));
      install(world);
      const result = await world.run({ prompt: 'what is this?', args });
      expectSuccess(result);
      expect(result.requests).toHaveLength(1);
    });
  });
}

it('is tried with a program that was built', () => {
  expect(existsSync(path.join(BUILT, 'hook.cjs'))).toBe(true);
});
