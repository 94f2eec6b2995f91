/** What a person types while the agent works, in the screens of the hosts that have no such test of their own. The agent uses no tool. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HostId } from '../../../src/hosts/ids.ts';
import { hostsToTry } from '../support/clients.ts';
import type { Sitting } from '../support/sitting.ts';
import { asked, isLoop, sitDown } from '../support/sitting.ts';
import { noTerminal } from '../support/tmux.ts';

const WAIT = { timeout: 60_000, interval: 100 };
/** Two starts of a host are waited for, and what it does then. */
const TEST_MS_MAX = 240_000;
const noScreen = noTerminal();
const NASTY = 'Fix the "cart" —   it\'s `broken` $(rm -rf ~) & $HOME \\ %PATH% 🧨 <b>; exit 1';

/** The agent is at its second turn until it is let go. */
async function atWork(host: HostId): Promise<Sitting & { readonly letGo: () => void }> {
  let letGo: () => void = () => undefined;
  const isTyped = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const sitting = await sitDown(host, async ({ turn }) => {
    if (turn === 2) await isTyped;
    return { text: `part ${turn} of it` };
  });
  await sitting.terminal.say(`/ralph "${NASTY}" --max-iterations 3`);
  await asked(sitting, 2);
  // Byte for byte.
  expect(sitting.world.model.requests[0]?.news).toContain(NASTY);
  return { ...sitting, letGo };
}

/** How a host says that a message waits. */
const WAITS: Partial<Record<HostId, string>> = { copilot: '[pending', opencode: 'QUEUED', pi: 'Steering:' };

/** What is typed in the very moment of a stop goes first at the one after it. */
async function isKnown({ world, terminal }: Sitting): Promise<void> {
  await terminal.shows(WAITS[world.host] ?? 'Steering messages:');
  if (world.host !== 'droid') return;
  // Two seconds later.
  const log = path.join(world.home, '.factory/logs/droid-log-single.log');
  await expect.poll(() => readFileSync(log, 'utf8').split('[JsonRpc] User message queued').length, WAIT).toBe(3);
}

for (const { host, absent, title } of hostsToTry(['copilot', 'opencode', 'pi', 'droid'])) {
  const why = absent ?? noScreen;
  describe.skipIf(why !== null)(
    `typed into ${why === null ? title : `${host} (SKIPPED: ${why})`} while it works`,
    () => {
      it(
        'goes first, and the limit holds',
        async () => {
          const sitting = await atWork(host);
          const { world, terminal, letGo } = sitting;
          await terminal.say('make it green');
          await isKnown(sitting);
          letGo();
          await isLoop(sitting, { status: 'halted', counted: 3, outcome: { guard: 'iterations-max' } });
          expect(world.model.requests[2]?.news).toContain('make it green');
          expect(world.model.requests[2]?.news).toContain('What the user says now comes first');
          // Copilot judges the turn before too, and asks for another one: that prompt comes behind what was typed, and too late.
          if (host === 'copilot') await terminal.shows('the loop has moved on');
          await terminal.rests();
          expect(world.model.requests).toHaveLength(host === 'copilot' ? 3 : 4);
        },
        TEST_MS_MAX,
      );

      it(
        'may be /cancel-ralph: the agent may stop, and is asked nothing more',
        async () => {
          const sitting = await atWork(host);
          const { world, terminal, letGo } = sitting;
          await terminal.say('/cancel-ralph');
          // The first Enter takes it from the list of commands.
          if (host === 'opencode') terminal.press('Enter');
          if (host === 'copilot' || host === 'droid') await isKnown(sitting);
          await terminal.rests();
          letGo();
          if (host !== 'droid') await terminal.shows(/was cancelled after \d iterations?;/u);
          await isLoop(sitting, { status: 'cancelled' });
          if (host === 'copilot') await terminal.shows('the loop has moved on');
          await terminal.rests();
          expect(world.model.requests).toHaveLength(2);
        },
        TEST_MS_MAX,
      );
    },
  );
}
