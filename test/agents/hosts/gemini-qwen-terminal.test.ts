/** Loops in the real clients as a person uses them: in a terminal, with keys. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HostId } from '../../../src/hosts/ids.ts';
import type { Script } from '../../../src/setup/fake-model/script.ts';
import { inTurn } from '../../../src/setup/fake-model/script.ts';
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
const USER_FIRST = 'What the user says now comes first';

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

/** Answers at once, but for its second turn: that one waits until `answer` is called. */
function held(last: number): { readonly answer: () => void; readonly script: Script } {
  let answer: () => void = () => undefined;
  const isTyped = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const script: Script = async ({ turn }) => {
    if (turn === 2) await isTyped;
    return { text: turn < last ? `part ${turn} of it` : DONE };
  };
  return { answer: () => answer(), script };
}

const clients = hostsToTry(['gemini', 'qwen']).map(({ host, absent }) => {
  const why = absent ?? noTerminal();
  return { host, why, named: `${host}${why === null ? '' : ` (SKIPPED: ${why})`}` };
});

for (const { host, why, named } of clients) {
  describe.skipIf(why !== null)(`a loop in a terminal of ${named}`, () => {
    it('takes a nasty goal byte for byte, continues until the check passes, and says which limit ended a loop', async () => {
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
  });
}

const [gemini, qwen] = clients;

describe.skipIf(gemini?.why !== null)(`a loop in a terminal of ${gemini?.named}, while the agent works`, () => {
  it('keeps a message until the loop is over or Esc is pressed: then it goes first, and Esc counts for nothing', async () => {
    const { answer, script } = held(5);
    const sitting = await sit('gemini', () => (request) => (request.turn === 3 ? { hang: true } : script(request)));
    const { terminal, world } = sitting;
    await terminal.say('/ralph "paint the shed"');
    await asked(sitting, 2);
    await terminal.say('make it green');
    await terminal.shows('Queued');
    answer();
    await asked(sitting, 3);
    expect(world.model.requests[2]?.news).not.toContain('make it green');
    terminal.press('Escape');
    await isLoop(sitting, { status: 'completed', counted: 4 });
    expect(world.model.requests[3]?.news).toContain('make it green');
    expect(world.model.requests[3]?.news).toContain(USER_FIRST);
    expect(world.model.requests).toHaveLength(5);
  });

  it('takes /cancel-ralph after Esc, and the screen shows it', async () => {
    const sitting = await sit('gemini', () => inTurn({ text: 'not yet' }, { hang: true }));
    const { terminal, world } = sitting;
    await terminal.say('/ralph "paint the shed"');
    await asked(sitting, 2);
    await terminal.shows(/while\s+the\s+agent\s+works,\s+press\s+Esc\s+first/u);
    terminal.press('Escape');
    await terminal.shows('Request cancelled.');
    await terminal.rests();
    await terminal.say('/cancel-ralph');
    await terminal.shows('was cancelled after 1 iteration;');
    await isLoop(sitting, { status: 'cancelled', counted: 1 });
    expect(world.model.requests).toHaveLength(2);
  });
});

describe.skipIf(qwen?.why !== null)(`a loop in a terminal of ${qwen?.named}, while the agent works`, () => {
  it('lets a message go before the next stop', async () => {
    const { answer, script } = held(4);
    const sitting = await sit('qwen', () => script);
    const { terminal, world } = sitting;
    await terminal.say('/ralph "paint the shed"');
    await asked(sitting, 2);
    await terminal.say('make it green');
    await terminal.shows('1 queued');
    answer();
    await isLoop(sitting, { status: 'completed', counted: 3 });
    // Its turn goes on with the message; no hook is called for it.
    expect(world.model.requests[2]?.news).toContain('make it green');
    expect(world.model.requests).toHaveLength(4);
  });

  it('lets a message that is typed while a check runs go first', async () => {
    const put = ({ project }: LoopWorld, name: string): void => writeFileSync(path.join(project, name), '');
    const sitting = await sit('qwen', (made) => ({ turn }) => {
      put(made(), 'begun.txt');
      return { text: turn === 1 ? 'part 1 of it' : DONE };
    });
    const { terminal, world } = sitting;
    const check = 'while test -f begun.txt -a ! -f go.txt; do sleep 0.1; done; test -f go.txt';
    await terminal.say(`/ralph "paint the shed" --claim DONE --check "${check}"`);
    await terminal.shows('part 1 of it');
    await terminal.say('make it green');
    await terminal.shows('1 queued');
    put(world, 'go.txt');
    await isLoop(sitting, { status: 'completed', counted: 2 });
    expect(world.model.requests[1]?.news).toContain('make it green');
    expect(world.model.requests[1]?.news).toContain(USER_FIRST);
  });

  it('keeps /cancel-ralph until Esc, which puts it back where it was typed', async () => {
    const sitting = await sit('qwen', () => inTurn({ text: 'not yet' }, { hang: true }));
    const { terminal, world } = sitting;
    await terminal.say('/ralph "paint the shed"');
    await asked(sitting, 2);
    await terminal.say('/cancel-ralph');
    await terminal.shows('1 queued');
    terminal.press('Escape');
    await terminal.shows('Request cancelled.');
    await terminal.rests();
    terminal.press('Enter');
    await terminal.shows('was cancelled after 1 iteration;');
    await isLoop(sitting, { status: 'cancelled', counted: 1 });
    expect(world.model.requests).toHaveLength(2);
  });
});
