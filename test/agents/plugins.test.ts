/** The packaged plugins, installed by the real clients themselves: each loops on its own. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { HostId } from '../../src/hosts/ids.ts';
import { openFileStore } from '../../src/stores/file-store.ts';
import type { AgentWorld } from './support/agent-world.ts';
import { agentWorld, expectSuccess } from './support/agent-world.ts';
import { hostsToTry } from './support/clients.ts';
import { loopsIn, NASTY, shownTo } from './support/host-suite.ts';
import { addCodexPlugin, clientCommand, PLUGINS, trustOnScreen, useOnce } from './support/plugin-install.ts';
import { noTerminal } from './support/tmux.ts';

/** Four starts of a client in one test. */
const FOUR_STARTS_MS_MAX = 240_000;
const BUILT = fileURLToPath(new URL('../../dist/', import.meta.url));

type Way = {
  readonly host: HostId;
  readonly title: string;
  readonly install: (world: AgentWorld) => Promise<void> | void;
  /** What stands before the name of a command. */
  readonly prefix: string;
  /** It is there only with these words on the command line. */
  readonly args?: readonly string[];
  /** The reason why it cannot be installed, or `null`. */
  readonly cannot?: string | null;
  /** Without its screen it prints nothing of what a hook has to say. */
  readonly saysOnScreenOnly?: true;
};

const WAYS: readonly Way[] = [
  {
    host: 'claude-code',
    title: 'from its marketplace',
    prefix: '/tireless:',
    install: (world) => {
      clientCommand(world, 'plugin', 'validate', `${PLUGINS}/claude-code`);
      clientCommand(world, 'plugin', 'marketplace', 'add', `${PLUGINS}/claude-code`);
      clientCommand(world, 'plugin', 'install', 'tireless@tireless');
    },
  },
  {
    host: 'claude-code',
    title: 'by its folder',
    prefix: '/tireless:',
    args: ['--plugin-dir', `${PLUGINS}/claude-code`],
    install: () => undefined,
  },
  {
    host: 'codex',
    title: 'from its marketplace, its hooks trusted on the screen',
    prefix: '/',
    cannot: noTerminal(),
    saysOnScreenOnly: true,
    install: async (world) => {
      addCodexPlugin(world);
      await trustOnScreen(world);
    },
  },
  {
    host: 'gemini',
    title: 'as an extension that is copied',
    prefix: '/',
    install: (world) => {
      useOnce(world);
      clientCommand(world, 'extensions', 'validate', `${PLUGINS}/gemini`);
      clientCommand(world, 'extensions', 'install', `${PLUGINS}/gemini`, '--consent');
    },
  },
];

for (const { host, title: way, prefix, args = [], install, cannot = null, saysOnScreenOnly } of WAYS) {
  const [entry] = hostsToTry([host]);
  const why = entry?.absent === null && cannot !== null ? ` (SKIPPED: ${cannot})` : '';
  describe.skipIf(entry?.absent !== null || cannot !== null)(`the plugin of ${entry?.title}, ${way}${why}`, () => {
    it('takes a nasty goal, refuses a false claim, and continues until the check passes', async () => {
      const done = (): string => path.join(world.project, 'done.txt');
      const world = await agentWorld(host, ({ turn }) =>
        turn === 1
          ? { text: 'All is well.\n<promise>DONE</promise>' }
          : turn === 2
            ? { write: { path: done(), content: 'x' } }
            : { text: 'Now it is.\n<promise>DONE</promise>' },
      );
      await install(world);
      const prompt = `${prefix}ralph "${NASTY}" --check "test -f done.txt" --claim DONE`;
      const result = await world.run({ prompt, args });
      expectSuccess(result);
      const loop = loopsIn(world).find(({ status }) => status !== 'cancelled');
      expect(loop).toMatchObject({ status: 'completed', outcome: { verified: true }, counted: 2 });
      expect(shownTo(result)).toContain('DONE refused: ');
      const store = openFileStore({ home: world.tirelessHome });
      expect(store.load(loop?.loop ?? '')?.spec.goal).toBe(NASTY);
      store.close();
      expect(readdirSync(world.project).toSorted()).toEqual(['.git', 'README.md', 'done.txt']);
    });

    it(
      'answers its other commands by itself: no model is asked for the help, the status and the end of a loop',
      async () => {
        const world = await agentWorld(host, ({ turn }) =>
          turn > 1 ? { status: 400, message: 'The request is not valid.' } : { text: 'not yet' },
        );
        await install(world);
        const resume = world.sessionOf(
          await world.run({ prompt: `${prefix}ralph "paint the shed" --max-faults 9`, args }),
        );
        const loop = loopsIn(world).find(({ status }) => status === 'running');
        expect(loop).toMatchObject({ counted: 1 });
        for (const [command, said] of [
          ['ralph-help', `${prefix}ralph --resume [LOOP]`],
          ['ralph-status', loop?.loop ?? ''],
          ['cancel-ralph', `loop ${loop?.loop} was cancelled after 1 iteration;`],
        ] as const) {
          const { requests, stdout, stderr } = await world.run({ prompt: `${prefix}${command}`, resume, args });
          expect(requests).toEqual([]);
          expect(`${stdout}\n${stderr}`).toContain(saysOnScreenOnly === true ? '' : said);
        }
        expect(loopsIn(world).map(({ status }) => status)).not.toContain('running');
      },
      FOUR_STARTS_MS_MAX,
    );

    const proof =
      args.length === 0
        ? 'proves it'
        : 'says that nothing is installed: it is there only with words on the command line';
    it(`is looked for by "tireless doctor", which ${proof}`, async () => {
      const world = await agentWorld(host, () => ({ status: 500, message: 'not the model of the doctor' }));
      await install(world);
      const { stdout } = await world.tirelessWithAgents('doctor', host, '--json');
      const { findings } = JSON.parse(stdout) as { findings: { host: string; about: string; status: string }[] };
      const found = findings.filter(({ about }) => about === 'installed' || about === 'fires');
      expect(found.map(({ about, status }) => `${about}: ${status}`)).toEqual(
        args.length === 0 ? ['installed: ok', 'fires: ok'] : ['installed: problem'],
      );
    });

    it('leaves a session without a loop alone', async () => {
      const world = await agentWorld(host, () => ({ text: 'a short answer' }));
      await install(world);
      const result = await world.run({ prompt: 'what is this?', args });
      expectSuccess(result);
      expect(result.requests).toHaveLength(1);
    });
  });
}

it('is tried with a program that was built', () => {
  expect(existsSync(path.join(BUILT, 'hook.cjs'))).toBe(true);
});
