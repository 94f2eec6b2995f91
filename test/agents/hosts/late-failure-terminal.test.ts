/** A turn that failed, in clients that report it to no hook: as a person sees it, in a terminal. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HostId } from '../../../src/hosts/ids.ts';
import type { Answer } from '../../../src/setup/fake-model/script.ts';
import { hostsToTry } from '../support/clients.ts';
import type { LoopWorld } from '../support/host-suite.ts';
import { loopWorld } from '../support/host-suite.ts';
import type { Sitting } from '../support/sitting.ts';
import { asked, isLoop } from '../support/sitting.ts';
import { noTerminal, openTerminal } from '../support/tmux.ts';

const CHECK = '--check "test -f done.txt"';
/** Of no class that a client or the loop waits out. */
const REFUSED: Answer = { status: 400, message: 'the model cannot read this' };
/** What a client shows when it takes a line. */
const READY: Partial<Record<HostId, readonly RegExp[]>> = {
  codex: [/Ask Codex|›/u],
  gemini: [/Type your message/u, /master|git:/u],
  qwen: [/Type your message/u, /master|git:/u],
  copilot: [/\? help/u],
};
/** Their screens show nothing of what a hook has to say at a prompt: the agent is asked to tell it. */
const IS_TOLD: ReadonlySet<HostId> = new Set(['qwen', 'copilot']);
const AWAY_MS = 12_000;

/** `answer`: to the request of this number, from 1. */
async function sit(host: HostId, answer: (asked: number, world: LoopWorld) => Answer): Promise<Sitting> {
  let count = 0;
  const world: LoopWorld = await loopWorld(
    host,
    () => {
      count += 1;
      return answer(count, world);
    },
    host === 'codex' ? { installWords: ['--trust'] } : {},
  );
  const terminal = openTerminal(world);
  for (const ready of READY[host] ?? []) await terminal.shows(ready);
  await terminal.rests();
  return { world, terminal };
}

/* oxlint-disable vitest/no-conditional-expect, vitest/no-conditional-tests -- One suite over hosts that differ. */
for (const { host, absent } of hostsToTry(['codex', 'gemini', 'qwen', 'copilot'])) {
  const why = absent ?? noTerminal();
  const name = `${host}${why === null ? '' : ` (SKIPPED: ${why})`}`;
  const command = host === 'codex' ? '$ralph' : '/ralph';
  describe.skipIf(why !== null)(`a turn that failed in a terminal of ${name}`, () => {
    it('is recorded and shown at the next prompt, which runs it again; the time between is not counted', async () => {
      const sitting = await sit(host, (number, world) => {
        if (number === 2) return REFUSED;
        if (number > 2) writeFileSync(path.join(world.project, 'done.txt'), '');
        return { text: `part ${number} of it` };
      });
      const { world, terminal } = sitting;
      const beganMs = Date.now();
      await terminal.say(`${command} "paint the shed" ${CHECK}`);
      await asked(sitting, 2);
      await terminal.shows('cannot read this');
      await terminal.rests();
      const leftMs = Date.now();
      await expect.poll(() => Date.now() - leftMs, { timeout: 60_000, interval: 200 }).toBeGreaterThan(AWAY_MS);
      expect(world.tireless('status').stdout).toContain('the last turn failed');
      await terminal.say('go on');
      await isLoop(sitting, { status: 'completed', counted: 2, faults: 1 });
      if (IS_TOLD.has(host)) expect(world.model.requests[2]?.news).toMatch(/Tell the user .*the last turn failed/u);
      else await terminal.shows(/tireless:\s+the\s+last\s+turn\s+failed/u);
      expect(world.onlyLoop().runningMs).toBeLessThan(Date.now() - beganMs - AWAY_MS);
    });

    it('three times in a row halts the loop, and the screen shows how to continue', async () => {
      const sitting = await sit(host, (number) => (number === 1 ? { text: 'not yet' } : REFUSED));
      const { world, terminal } = sitting;
      await terminal.say(`${command} "paint the shed" ${CHECK}`);
      for (const number of [2, 3, 4]) {
        await asked(sitting, number);
        await terminal.rests();
        await terminal.say(`go on, try ${number}`);
      }
      await isLoop(sitting, { status: 'halted', counted: 1, faults: 3, outcome: { guard: 'faults-in-row' } });
      const { loop } = world.onlyLoop();
      if (IS_TOLD.has(host)) {
        // The loop halts before the prompt reaches the model.
        await asked(sitting, 5);
        expect(world.model.requests[4]?.news).toMatch(/Tell the user .*halted: 3 agent faults/u);
      } else {
        await terminal.shows(/halted:\s+3\s+agent\s+faults/u);
        await terminal.shows(`resume ${loop}`);
      }
      expect(world.tireless('status', loop).stdout).toContain('halted: 3 agent faults');
    });
  });
}
