/** Loops in the real client as a person uses it: in a terminal, with keys. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Script } from '../../../src/setup/fake-model/script.ts';
import { openFileStore } from '../../../src/stores/file-store.ts';
import { hostsToTry } from '../support/clients.ts';
import type { LoopWorld } from '../support/host-suite.ts';
import { loopWorld } from '../support/host-suite.ts';
import type { Terminal } from '../support/tmux.ts';
import { noTerminal, openTerminal } from '../support/tmux.ts';

const WAIT = { timeout: 60_000, interval: 100 };
const NASTY = 'Fix the "cart" — it\'s `broken` $(rm -rf ~) & $HOME \\ %PATH% 🧨 <b>; exit 1';
const DONE = 'x\n<promise>DONE</promise>';
const CHECK = '--check "test -f done.txt"';
const MUCH = 'and one word more '.repeat(25_000);

type Sitting = { readonly world: LoopWorld; readonly terminal: Terminal };

async function sit(script: (world: () => LoopWorld) => Script): Promise<Sitting> {
  let made: LoopWorld | undefined;
  const world = await loopWorld(
    'claude-code',
    script(() => {
      if (made === undefined) throw new Error('the model was asked before the world was there');
      return made;
    }),
  );
  made = world;
  const terminal = openTerminal(world);
  await terminal.shows(/❯/u);
  return { world, terminal };
}

function finish({ project }: LoopWorld): void {
  writeFileSync(path.join(project, 'done.txt'), '');
}

/** What the agent would do in its notes. */
function tick({ project }: LoopWorld): void {
  const folder = path.join(project, '.tireless');
  for (const name of readdirSync(folder).filter((each) => each.startsWith('tracker-'))) {
    const notes = path.join(folder, name);
    writeFileSync(notes, readFileSync(notes, 'utf8').replaceAll('- [ ]', '- [x]'));
  }
}

function gate(): { readonly isOpen: Promise<void>; readonly open: () => void } {
  let open: () => void = () => undefined;
  const isOpen = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { isOpen, open: () => open() };
}

async function asked({ world }: Sitting, times: number): Promise<void> {
  await expect.poll(() => world.model.requests.length, WAIT).toBe(times);
}

function transcriptsOf({ home }: LoopWorld): string {
  const folder = path.join(home, '.claude/projects');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'));
  return files.map((name) => readFileSync(path.join(folder, name), 'utf8')).join('');
}

/** What is on the screen is the only word about why a loop did not get there. */
async function isLoop({ world, terminal }: Sitting, like: Readonly<Record<string, unknown>>): Promise<void> {
  try {
    await expect.poll(() => world.loops(), WAIT).toMatchObject([like]);
  } catch (error) {
    throw new Error(`the loop did not get there; on the screen:\n${terminal.screen()}`, { cause: error });
  }
}

const [client] = hostsToTry(['claude-code']);
const why = client?.absent ?? noTerminal();

describe.skipIf(why !== null)(`a loop in a terminal of claude-code${why === null ? '' : ` (SKIPPED: ${why})`}`, () => {
  it('takes a nasty goal byte for byte and continues until the check passes', async () => {
    const sitting = await sit((world) => ({ turn }) => {
      if (turn === 3) finish(world());
      return { text: `part ${turn} of it` };
    });
    await sitting.terminal.say(`/ralph "${NASTY}" ${CHECK}`);
    await isLoop(sitting, { status: 'completed', counted: 3, outcome: { verified: true } });
    await sitting.terminal.shows('part 3 of it');
    await sitting.terminal.shows('tireless: completed, verified');
    await sitting.terminal.shows('[tireless:3] "test -f done.txt" fails; continues with iteration 3 of 20.');
    expect(sitting.world.model.requests).toHaveLength(3);
    // The conversation has the goal.
    expect(sitting.terminal.screen()).not.toContain('# Goal');
    const store = openFileStore({ home: sitting.world.tirelessHome });
    expect(store.list({ ended: 'both' }).map(({ spec }) => spec.goal)).toEqual([NASTY]);
    store.close();
  });

  it('answers /ralph-status, /ralph-help and /cancel-ralph without asking the model', async () => {
    const sitting = await sit(
      () =>
        ({ turn }) =>
          turn === 1 ? { text: 'not yet' } : { hang: true },
    );
    const { terminal, world } = sitting;
    await terminal.say('/ralph-status');
    await terminal.shows('no loop is open here');
    await terminal.say('/ralph "paint the shed"');
    await asked(sitting, 2);
    terminal.press('Escape');
    await terminal.shows(/[Ii]nterrupted/u);
    await terminal.say('/ralph-status');
    await terminal.shows('of this session:');
    await terminal.shows('paint the shed');
    await terminal.say('/ralph-help');
    await terminal.shows('every option of "tireless start"');
    await terminal.say('/cancel-ralph');
    await terminal.shows('was cancelled after 1 iteration;');
    await isLoop(sitting, { status: 'cancelled', counted: 1 });
    expect(world.model.requests).toHaveLength(2);
  });

  it('lets a message after Esc go first, and continues', async () => {
    let isSteered = false;
    const sitting = await sit((world) => ({ turn, news }) => {
      if (turn === 2) return { hang: true };
      isSteered ||= news.includes('make it blue');
      if (turn === 4) finish(world());
      return { text: `part ${turn} of it` };
    });
    const { terminal, world } = sitting;
    await terminal.say(`/ralph "paint the shed" ${CHECK}`);
    await asked(sitting, 2);
    terminal.press('Escape');
    await terminal.shows(/[Ii]nterrupted/u);
    await terminal.say('make it blue');
    await isLoop(sitting, { status: 'completed' });
    expect(isSteered).toBe(true);
    expect(world.model.requests[2]?.news).toContain('What the user says now comes first');
    expect(world.model.requests[2]?.news).toContain('make it blue');
    expect(world.onlyLoop().counted).toBe(3);
  });

  it('lets what was typed while the agent works go first at its next stop', async () => {
    const typed = gate();
    const sitting = await sit(() => async ({ turn }) => {
      if (turn === 2) await typed.isOpen;
      return { text: turn < 4 ? `part ${turn} of it` : DONE };
    });
    const { terminal, world } = sitting;
    await terminal.say('/ralph "paint the shed"');
    await asked(sitting, 2);
    await terminal.say('make it green');
    await terminal.shows('queued messages');
    // Written a tenth of a second late: what is typed in the very moment of a stop goes first at the one after it.
    await expect.poll(() => transcriptsOf(world), WAIT).toContain('"type":"queue-operation","operation":"enqueue"');
    typed.open();
    await isLoop(sitting, { status: 'completed', counted: 3 });
    expect(world.model.requests[2]?.news).toContain('make it green');
    expect(world.model.requests[2]?.news).toContain('What the user says now comes first');
    expect(world.model.requests).toHaveLength(4);
  });

  it('offers the loop after /clear, and takes it into the new session', async () => {
    // Counted here: a new session of the client begins at turn 1 again.
    let asks = 0;
    const sitting = await sit(() => () => {
      asks++;
      return asks === 2 ? { hang: true } : { text: asks < 3 ? 'not yet' : DONE };
    });
    const { terminal, world } = sitting;
    await terminal.say('/ralph "paint the shed"');
    await asked(sitting, 2);
    terminal.press('Escape');
    await terminal.shows(/[Ii]nterrupted/u);
    const { loop, session } = world.onlyLoop();
    await terminal.say('/clear');
    await terminal.shows(`/ralph --resume ${loop}`);
    await terminal.say('/ralph --resume');
    await isLoop(sitting, { loop, status: 'completed', counted: 2 });
    expect(world.onlyLoop().session?.id).not.toBe(session?.id);
    expect(world.model.requests.at(-1)?.news).toContain('paint the shed');
  });

  it('says the goal and what is open in the first request after /compact, and continues', async () => {
    let isStopped = false;
    const sitting = await sit((world) => ({ turn }) => {
      if (turn === 2) return { hang: true };
      if (isStopped) {
        finish(world());
        tick(world());
      }
      return { text: `part ${turn} of it` };
    });
    const { terminal, world } = sitting;
    await terminal.say(`/ralph "paint the shed" --criterion "the door is blue" ${CHECK}`);
    await asked(sitting, 2);
    terminal.press('Escape');
    await terminal.shows(/[Ii]nterrupted/u);
    await terminal.say('/compact');
    await terminal.shows('the conversation was compacted');
    const summarized = world.model.requests.length;
    isStopped = true;
    await terminal.say('go on');
    await isLoop(sitting, { status: 'completed', counted: 2, faults: 0 });
    const first = world.model.requests[summarized];
    expect(JSON.stringify(first?.messages)).not.toContain('Stop hook additional context');
    // Not the words of the command, which the client itself repeats.
    const [, told = ''] = (first?.news ?? '').split('SessionStart hook additional context');
    expect(told).toContain('# Goal\n\n```\npaint the shed\n```');
    expect(told).toContain('These are not true yet:\n\n- the door is blue');
    expect(told).toContain('The check `test -f done.txt` fails');
  });

  it.each([
    ['/ralph-status', 'of this session:'],
    ['/ralph-help', 'work on the goal in this session'],
    ['/ralph-approve', 'is not waiting for'],
    ['/ralph "another shed" --check true', 'Cannot start a loop'],
  ])('answers %s that was typed while the agent works, and continues by itself', async (command, answer) => {
    const typed = gate();
    const sitting = await sit((world) => async ({ turn, news }) => {
      if (turn === 2) await typed.isOpen;
      if (news.includes('typed a command of tireless')) finish(world());
      // However much the turn writes, and whatever tools it uses after it: a command waits for the end of the turn.
      if (turn === 2) return { write: { path: path.join(world().project, 'notes.txt'), content: MUCH } };
      return { text: `part ${turn} of it` };
    });
    const { terminal, world } = sitting;
    await terminal.say(`/ralph "paint the shed" ${CHECK}`);
    await asked(sitting, 2);
    await terminal.say(command);
    await terminal.shows('queued messages');
    await expect.poll(() => transcriptsOf(world), WAIT).toContain('"type":"queue-operation","operation":"enqueue"');
    typed.open();
    await terminal.shows(answer);
    await isLoop(sitting, { status: 'completed', counted: 2, faults: 0 });
  });

  it('says the goal and the open checks again after a compaction', async () => {
    let isCompacted = false;
    const sitting = await sit((world) => ({ turn, messages }) => {
      isCompacted ||= JSON.stringify(messages).includes('being continued from a previous conversation');
      if (isCompacted) finish(world());
      // So many tokens that the client compacts before the next request.
      return turn === 2
        ? { text: 'a long part', usage: { input: 995_000, output: 10, cached: 0 } }
        : { text: `part ${turn} of it` };
    });
    await sitting.terminal.say(`/ralph "paint the shed" ${CHECK}`);
    await isLoop(sitting, { status: 'completed' });
    const after = sitting.world.model.requests.find(({ messages }) =>
      JSON.stringify(messages).includes('being continued from a previous conversation'),
    );
    // Not what a stop said before it: what the new beginning of the session was told.
    const [, told = ''] = (after?.news ?? '').split('SessionStart hook additional context');
    expect(told).toContain('paint the shed');
    expect(told).toContain('test -f done.txt');
  });
});
