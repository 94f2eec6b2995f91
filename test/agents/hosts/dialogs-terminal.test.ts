/** A person who is away while a client asks them for a permission. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Answer, Script } from '../../../src/setup/fake-model/script.ts';
import { hostsToTry } from '../support/clients.ts';
import type { LoopWorld } from '../support/host-suite.ts';
import { loopWorld } from '../support/host-suite.ts';
import { expectPayloads, kebab, plainName, recordEvents } from '../support/recording.ts';
import type { Sitting } from '../support/sitting.ts';
import { asked, isLoop } from '../support/sitting.ts';
import { noTerminal, openTerminal } from '../support/tmux.ts';

const AWAY_MS = 17_000;
const LIMIT = '--max-duration 15s';
/** Otherwise the tool after the dialog would be refused. */
const TIMEOUT = '--iteration-timeout 15s';
const SECOND = 'second.txt';
/** What these clients do without asking. */
const UNASKED: Partial<Record<Asking, (file: string) => Answer>> = {
  'claude-code': (file) => ({ write: { path: file, content: 'x' } }),
  codex: (file) => ({ shell: `echo x > ${file}` }),
};
/** Not pi, which asks for no permission. */
const READY = {
  'claude-code': '❯',
  copilot: '? help',
  codex: 'Ask Codex',
  gemini: /master/u,
  qwen: /git:/u,
  droid: '? for help',
  opencode: 'Ask anything',
} as const;
const DIALOG = {
  'claude-code': 'Do you want to proceed?',
  copilot: 'Do you want to run this command?',
  codex: 'Would you like to run the following command?',
  gemini: 'Allow execution of',
  qwen: 'Allow execution of',
  droid: 'allow',
  opencode: 'Permission required',
} as const;

type Asking = keyof typeof DIALOG;

/** How a client is brought to ask before it runs a command. */
const ASK_FIRST: Partial<Record<Asking, (world: LoopWorld) => void>> = {
  'claude-code': ({ home }) => {
    const settings = path.join(home, '.claude/settings.json');
    const fields = JSON.parse(readFileSync(settings, 'utf8')) as Record<string, unknown>;
    writeFileSync(settings, JSON.stringify({ ...fields, permissions: { ask: ['Bash'] } }));
  },
  codex: ({ home }) => {
    const config = path.join(home, '.codex/config.toml');
    writeFileSync(config, readFileSync(config, 'utf8').replace('"never"', '"on-request"'));
    mkdirSync(path.join(home, '.codex/rules'));
    writeFileSync(path.join(home, '.codex/rules/default.rules'), 'prefix_rule(pattern=["touch"], decision="prompt")\n');
  },
};
const ALLOWS_ALL = new Set(['--allow-all-tools', '--yolo']);
const OPENCODE_CONFIG = 'OPENCODE_CONFIG_CONTENT';

/** They call a hook for it, so that others can see it too. */
const REPORTS_DIALOGS: ReadonlySet<Asking> = new Set(['codex', 'gemini', 'qwen', 'droid']);
/** Its payload is compared with the recorded one. */
const RECORDED: Partial<Record<Asking, string>> = { codex: 'PermissionRequest' };

/** The model calls a tool first, then only talks. */
async function sitBefore(host: Asking, script: Script): Promise<Sitting> {
  const world = await loopWorld(host, script, host === 'codex' ? { installWords: ['--trust'] } : {});
  ASK_FIRST[host]?.(world);
  const event = RECORDED[host];
  if (event !== undefined) recordEvents(world, [event]);
  const launcher = {
    ...world.launcher,
    interactive: (...given: Parameters<NonNullable<typeof world.launcher.interactive>>) => {
      const { args, environment } = world.launcher.interactive?.(...given) ?? { args: [], environment: {} };
      const { [OPENCODE_CONFIG]: config } = environment;
      const asks = { permission: { bash: 'ask' } };
      return {
        args: [...args.filter((word) => !ALLOWS_ALL.has(word)), ...(world.launcher.hookArgs ?? [])],
        environment:
          config === undefined
            ? environment
            : { ...environment, [OPENCODE_CONFIG]: JSON.stringify({ ...(JSON.parse(config) as object), ...asks }) },
      };
    },
  };
  const terminal = openTerminal({ ...world, launcher });
  if (host === 'droid') {
    await terminal.shows('Trust this folder?');
    terminal.press('Enter');
  }
  await terminal.shows(READY[host]);
  await terminal.rests();
  return { world, terminal };
}

async function isAsking({ world }: Sitting): Promise<void> {
  const status = (): string => world.tireless('status').stdout;
  await expect.poll(status, { timeout: 20_000, interval: 500 }).toContain('the agent asks you for a permission');
}

async function away(): Promise<void> {
  await new Promise((resolve) => {
    setTimeout(resolve, AWAY_MS);
  });
}

for (const { host, absent } of hostsToTry()) {
  if (host === 'pi') continue;
  const why = absent ?? noTerminal();
  describe.skipIf(why !== null)(`a permission dialog of ${host}${why === null ? '' : ` (SKIPPED: ${why})`}`, () => {
    it('is no running time, however long it is open', async () => {
      const sitting = await sitBefore(host, ({ turn }) => {
        const { project } = sitting.world;
        if (turn === 1) return { shell: 'touch hi.txt' };
        return turn === 2 ? (UNASKED[host]?.(path.join(project, SECOND)) ?? { text: 'on' }) : { text: `still ${turn}` };
      });
      const { world, terminal } = sitting;
      const ralph = host === 'codex' ? '$ralph' : '/ralph';
      await terminal.say(`${ralph} "make done.txt" --check "test -f done.txt" ${LIMIT} --max-iterations 1 ${TIMEOUT}`);
      await terminal.shows(DIALOG[host]);
      if (REPORTS_DIALOGS.has(host)) await isAsking(sitting);
      const event = RECORDED[host];
      const session = world.onlyLoop().session?.id ?? '';
      if (event !== undefined) expectPayloads(world, [kebab(event)], { session, nameOf: plainName });
      await away();
      terminal.press('Enter');
      await isLoop(sitting, { status: 'halted', counted: 1, outcome: { guard: 'iterations-max' } });
      expect(world.onlyLoop().runningMs).toBeLessThan(AWAY_MS);
      expect(existsSync(path.join(world.project, SECOND))).toBe(UNASKED[host] !== undefined);
    });
  });
}

const [client] = hostsToTry(['claude-code']);
const reason = client?.absent ?? noTerminal();

describe.skipIf(reason !== null)(
  `a permission that is refused${reason === null ? '' : ` (SKIPPED: ${reason})`}`,
  () => {
    it('costs no running time, neither the dialog nor the silence after it', async () => {
      const sitting = await sitBefore('claude-code', ({ turn }) =>
        turn === 1 ? { shell: 'echo hi > hi.txt' } : { text: `still ${turn}` },
      );
      const { world, terminal } = sitting;
      await terminal.say(`/ralph "make done.txt" --check "test -f done.txt" ${LIMIT} --max-iterations 1`);
      await asked(sitting, 1);
      await terminal.shows(DIALOG['claude-code']);
      await away();
      terminal.press('Escape');
      await terminal.shows('Interrupted');
      await terminal.say('continue without it');
      await isLoop(sitting, { status: 'halted', counted: 1, outcome: { guard: 'iterations-max' } });
      expect(world.onlyLoop().runningMs).toBeLessThan(AWAY_MS);
    });
  },
);
