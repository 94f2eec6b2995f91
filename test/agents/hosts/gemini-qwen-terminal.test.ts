/** Loops in the real clients as a person uses them: in a terminal, with keys. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HostId } from '../../../src/hosts/host.ts';
import type { Script } from '../../../src/runner/fake-model/script.ts';
import { openFileStore } from '../../../src/stores/file-store.ts';
import { hostsToTry } from '../support/clients.ts';
import type { LoopWorld } from '../support/host-suite.ts';
import { loopWorld } from '../support/host-suite.ts';
import type { Sitting } from '../support/sitting.ts';
import { isLoop } from '../support/sitting.ts';
import { noTerminal, openTerminal } from '../support/tmux.ts';

const WAIT = { timeout: 60_000, interval: 100 };
const NASTY = 'Fix the "cart" —   it\'s `broken` $(rm -rf ~) & $HOME \\ %PATH% 🧨 <b>; exit 1';
const DONE = 'x\n<promise>DONE</promise>';
const USER_FIRST = 'What the user says now goes first';

async function sit(host: HostId, script: (world: () => LoopWorld) => Script): Promise<Sitting> {
  let made: LoopWorld | undefined;
  const world = await loopWorld(
    host,
    script(() => {
      if (made === undefined) throw new Error('the model was asked before the world was there');
      return made;
    }),
  );
  made = world;
  const terminal = openTerminal(world);
  await terminal.shows('Type your message');
  // What is typed before their settings are read is lost, or waits.
  await terminal.shows(/master|git:/u);
  await terminal.rests();
  return { world, terminal };
}

async function asked({ world }: Sitting, times: number): Promise<void> {
  await expect.poll(() => world.model.requests.length, WAIT).toBe(times);
}

for (const { host, absent } of hostsToTry(['gemini', 'qwen'])) {
  const why = absent ?? noTerminal();
  describe.skipIf(why !== null)(`a loop in a terminal of ${host}${why === null ? '' : ` (SKIPPED: ${why})`}`, () => {
    it('takes a nasty goal byte for byte, goes on until the check passes, and says which limit ended a loop', async () => {
      const { world, terminal } = await sit(host, (made) => ({ turn }) => {
        if (turn === 3) writeFileSync(path.join(made().project, 'done.txt'), '');
        return { text: `part ${turn} of it` };
      });
      await terminal.say(`/ralph "${NASTY}" --check "test -f done.txt"`);
      await isLoop({ world, terminal }, { status: 'completed', counted: 3, outcome: { verified: true } });
      await terminal.shows('part 3 of it');
      const store = openFileStore({ home: world.tirelessHome });
      expect(store.list({ ended: 'both' }).map(({ spec }) => spec.goal)).toEqual([NASTY]);
      store.close();
      await terminal.rests();
      await terminal.say('/ralph-status');
      await terminal.shows('no loop is open here');
      expect(world.model.requests).toHaveLength(3);
      await terminal.rests();
      await terminal.say('/ralph "paint the shed" --max-iterations 1');
      await terminal.shows('halted: 1 of 1 iterations used');
      expect(world.model.requests).toHaveLength(4);
    });

    it(
      host === 'qwen'
        ? 'lets what was typed while the agent works go before its next stop'
        : 'keeps what was typed while the agent works until Esc: then it goes first, and nothing was counted',
      async () => {
        let answer: () => void = () => undefined;
        const isTyped = new Promise<void>((resolve) => {
          answer = resolve;
        });
        const sitting = await sit(host, () => async ({ turn }) => {
          // The first asks of the screen that are typed into; Gemini is interrupted in the one after the next.
          if (turn === 2) await isTyped;
          if (turn === 3 && host === 'gemini') return { hang: true };
          return { text: turn < 5 ? `part ${turn} of it` : DONE };
        });
        const { terminal, world } = sitting;
        await terminal.say('/ralph "paint the shed"');
        await asked(sitting, 2);
        await terminal.say('make it green');
        await terminal.shows(/Queued|1 queued/u);
        answer();
        if (host === 'gemini') {
          await asked(sitting, 3);
          expect(world.model.requests[2]?.news).not.toContain('make it green');
          terminal.press('Escape');
        }
        await isLoop(sitting, { status: 'completed', counted: 4 });
        const heard = world.model.requests[host === 'gemini' ? 3 : 2];
        expect(heard?.news).toContain('make it green');
        // Qwen Code calls no hook for it: it stands alone before the agent.
        expect(heard?.news.includes(USER_FIRST)).toBe(host === 'gemini');
        expect(world.model.requests).toHaveLength(5);
      },
    );

    it('takes /cancel-ralph after Esc, and the screen says so', async () => {
      const sitting = await sit(
        host,
        () =>
          ({ turn }) =>
            turn === 1 ? { text: 'not yet' } : { hang: true },
      );
      const { terminal, world } = sitting;
      await terminal.say('/ralph "paint the shed"');
      await asked(sitting, 2);
      if (host === 'gemini') {
        terminal.press('Escape');
        await terminal.shows('Request cancelled.');
        await terminal.rests();
        await terminal.say('/cancel-ralph');
      } else {
        // It waits in the queue, and Esc puts it back where it was typed.
        await terminal.say('/cancel-ralph');
        await terminal.shows('1 queued');
        terminal.press('Escape');
        await terminal.shows('Request cancelled.');
        await terminal.rests();
        terminal.press('Enter');
      }
      await terminal.shows('is cancelled after 1 iterations');
      await isLoop(sitting, { status: 'cancelled', counted: 1 });
      expect(world.model.requests).toHaveLength(2);
    });
  });
}
