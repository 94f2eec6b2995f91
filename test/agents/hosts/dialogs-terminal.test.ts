/** A person who is away while a client asks them for a permission. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Script } from '../../../src/setup/fake-model/script.ts';
import { hostsToTry } from '../support/clients.ts';
import { loopWorld } from '../support/host-suite.ts';
import type { Sitting } from '../support/sitting.ts';
import { asked, isLoop } from '../support/sitting.ts';
import { noTerminal, openTerminal } from '../support/tmux.ts';

const AWAY_MS = 22_000;
const LIMIT = '--max-duration 20s';
const READY = { 'claude-code': '❯', copilot: '? help' } as const;
const DIALOG = { 'claude-code': 'Do you want to proceed?', copilot: 'Do you want to run this command?' } as const;

/** The model calls a tool first, then only talks. */
async function sitBefore(host: 'claude-code' | 'copilot', script: Script): Promise<Sitting> {
  const world = await loopWorld(host, script);
  if (host === 'claude-code') {
    const settings = path.join(world.home, '.claude/settings.json');
    const fields = JSON.parse(readFileSync(settings, 'utf8')) as Record<string, unknown>;
    writeFileSync(settings, JSON.stringify({ ...fields, permissions: { ask: ['Bash'] } }));
  }
  const launcher = {
    ...world.launcher,
    interactive: (...given: Parameters<NonNullable<typeof world.launcher.interactive>>) => {
      const launch = world.launcher.interactive?.(...given) ?? { args: [], environment: {} };
      return { ...launch, args: launch.args.filter((word) => word !== '--allow-all-tools') };
    },
  };
  const terminal = openTerminal({ ...world, launcher });
  await terminal.shows(READY[host]);
  await terminal.rests();
  return { world, terminal };
}

async function away(): Promise<void> {
  await new Promise((resolve) => {
    setTimeout(resolve, AWAY_MS);
  });
}

for (const { host, absent } of hostsToTry(['claude-code', 'copilot'])) {
  if (host !== 'claude-code' && host !== 'copilot') continue;
  const why = absent ?? noTerminal();
  describe.skipIf(why !== null)(`a permission dialog of ${host}${why === null ? '' : ` (SKIPPED: ${why})`}`, () => {
    it('is no running time, however long it is open', async () => {
      const sitting = await sitBefore(host, ({ turn }) =>
        turn === 1 ? { shell: 'echo hi > hi.txt' } : { text: `still ${turn}` },
      );
      const { world, terminal } = sitting;
      await terminal.say(`/ralph "make done.txt" --check "test -f done.txt" ${LIMIT} --max-iterations 1`);
      await asked(sitting, 1);
      await terminal.shows(DIALOG[host]);
      await away();
      terminal.press('Enter');
      await isLoop(sitting, { status: 'halted', counted: 1, outcome: { guard: 'iterations-max' } });
      expect(world.onlyLoop().runningMs).toBeLessThan(AWAY_MS);
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
