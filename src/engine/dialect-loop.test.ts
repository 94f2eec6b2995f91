import { describe, expect, it } from 'vitest';
import { aStopOf } from '../../test/support/dialect-probe.ts';
import { aDialectWorld, PROJECT } from '../../test/support/dialect-world.ts';
import { OWNER_SILENT_MS } from '../core/foreign-file.ts';
import { promptMark } from '../core/prompt-mark.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { setFields, readFrontMatter } from '../dialects/front-matter.ts';
import { handleDialectEvent } from './dialect-loop.ts';
import { handleEvent } from './handle-event.ts';
import { runSync } from './pipeline.ts';
import type { Effects } from './ports.ts';

/** The smallest possible dialect: a counter, a maximum, a word, a switch. */
const tiny: Dialect = {
  name: 'tiny',
  read: (text) => {
    const fields = readFrontMatter(text)?.fields;
    if (fields === undefined) return { kind: 'invalid', why: 'no front matter' };
    return {
      kind: 'loop',
      active: fields['active'] === true,
      session: null,
      goal: 'the goal',
      claim: { texts: [String(fields['word'])], form: 'text-anywhere', tag: '', fold: true },
      criteria: [],
      counted: Number(fields['n']),
      iterationsMax: Number(fields['max']),
      continuation: 'Go on ({{ITERATION}} of {{MAX}}).',
    };
  },
  project: (text, { state }) =>
    text === null || state.status === 'completed' ? null : setFields(text, { n: state.counted }),
  filesFor: () => ['tiny.md'],
  wordsFor: ({ decision }) => ({ sendsBack: decision.kind === 'continue', text: '', reason: '' }),
  replyForm: 'exit',
  newText: () => '',
};

const FILE = '/project/tiny.md';
const text = (n: number, max: number, active = true): string =>
  `---\n# keep me\nn: ${n} # the counter\nmax: ${max}\nword: finished\nactive: ${active}\n---\nnotes\n---\nn: 99\n`;

describe('a loop in a foreign file', () => {
  it('starts at the first stop, counts in the file, and touches nothing else', () => {
    const world = aDialectWorld(tiny);
    world.files.set(FILE, text(0, 5));
    expect(world.stop('tiny.md', 'hm').decision).toMatchObject({ kind: 'continue', iteration: 2 });
    expect(world.files.get(FILE)).toBe(text(1, 5));
  });

  it('takes over a counter that is already running', () => {
    const world = aDialectWorld(tiny);
    world.files.set(FILE, text(3, 5));
    expect(world.stop('tiny.md', 'hm').decision).toMatchObject({ kind: 'continue', iteration: 5, last: true });
    expect(world.stop('tiny.md', 'hm').decision).toMatchObject({ kind: 'halt', guard: 'iterations-max', actual: 5 });
  });

  it('belongs to the first session that stopped, and to no other', () => {
    const world = aDialectWorld(tiny);
    world.files.set(FILE, text(0, 5));
    world.stop('tiny.md', 'hm', 'one');
    const before = world.files.get(FILE);
    expect(world.stop('tiny.md', 'finished', 'two').decision).toEqual({ kind: 'abstain', because: 'no-loop' });
    expect(world.files.get(FILE)).toBe(before);
  });

  it('is cancelled by deleting the file or by switching it off, at the very next stop', () => {
    for (const edit of [undefined, text(1, 5, false)]) {
      const world = aDialectWorld(tiny);
      world.files.set(FILE, text(0, 5));
      world.stop('tiny.md', 'hm');
      if (edit === undefined) world.files.delete(FILE);
      else world.files.set(FILE, edit);
      const because = edit === undefined ? 'file-removed' : 'file-switched-off';
      expect(world.stop('tiny.md', 'hm').decision).toEqual({ kind: 'cancel', because });
      expect(world.loop('tiny.md')?.state.outcome).toEqual({ kind: 'cancelled', because });
    }
  });

  it('counts a raised maximum and a raised counter at the very next stop', () => {
    const world = aDialectWorld(tiny);
    world.files.set(FILE, text(0, 2));
    world.stop('tiny.md', 'hm');
    world.files.set(FILE, text(1, 9));
    expect(world.stop('tiny.md', 'hm').decision).toMatchObject({ kind: 'continue', iteration: 3 });
    world.files.set(FILE, text(7, 9));
    expect(world.stop('tiny.md', 'hm').decision).toMatchObject({ kind: 'continue', iteration: 9, last: true });
    expect(world.files.get(FILE)).toBe(text(8, 9));
  });

  it.each([1, 2, 3])(
    'takes a counter that is set back after %i stops for a new file, with a loop of its own',
    (stops) => {
      const world = aDialectWorld(tiny);
      world.files.set(FILE, text(0, 5));
      for (let done = 0; done < stops; done++) world.stop('tiny.md', 'hm');
      world.files.set(FILE, text(0, 5));
      expect(world.stop('tiny.md', 'hm').decision).toMatchObject({ kind: 'continue', iteration: 2 });
      expect(world.store.list({ ended: true })[0]?.state.outcome).toEqual({
        kind: 'cancelled',
        because: 'file-removed',
      });
      expect(world.loop('tiny.md')?.state).toMatchObject({ loop: 'loop-2', counted: 1 });
    },
  );

  it('goes to the session that stops first when its counter is set back and its own session has ended', () => {
    const world = aDialectWorld(tiny);
    world.files.set(FILE, text(0, 5));
    world.stop('tiny.md', 'hm', 'one');
    world.files.set(FILE, text(0, 4));
    expect(world.stop('tiny.md', 'hm', 'two').decision.kind).toBe('abstain');
    world.leave('tiny.md', 'one');
    expect(world.stop('tiny.md', 'hm', 'two').decision).toMatchObject({ kind: 'continue', iteration: 2 });
    expect(world.stop('tiny.md', 'hm', 'one').decision.kind).toBe('abstain');
  });

  it('is adopted by the session that stops when its own was silent for half an hour, and never before', () => {
    const world = aDialectWorld(tiny);
    world.files.set(FILE, text(0, 5));
    world.stop('tiny.md', 'hm', 'one');
    world.wait(OWNER_SILENT_MS - 2000);
    expect(world.stop('tiny.md', 'hm', 'two').decision.kind).toBe('abstain');
    world.wait(2000);
    expect(world.stop('tiny.md', 'hm', 'two').decision).toMatchObject({ kind: 'continue', iteration: 3 });
    expect(world.loop('tiny.md')?.state).toMatchObject({ loop: 'loop-1', session: { id: 'two' } });
    expect(world.stop('tiny.md', 'hm', 'one').decision.kind).toBe('abstain');
  });

  it('stays with a session whose host still writes for it, however long its turn takes', () => {
    const world = aDialectWorld(tiny);
    world.files.set(FILE, text(0, 5));
    world.stop('tiny.md', 'hm', 'one');
    world.wait(2 * OWNER_SILENT_MS);
    const { wallMs } = world.effects.readClock();
    const place = {
      live: { dialect: tiny, path: FILE },
      cwd: PROJECT,
      file: 'tiny.md',
      session: { host: 'claude-code', id: 'two' },
      lastSeenMs: () => wallMs - 1000,
    };
    const event = { kind: 'turn-ended', iteration: null, worker: null } as const;
    expect(runSync(handleDialectEvent(place, event, {}), world.effects).decision.kind).toBe('abstain');
    expect(world.loop('tiny.md')?.state.session?.id).toBe('one');
  });

  it('ends at the ceiling of its project and day, however often its file is written anew', () => {
    const world = aDialectWorld(tiny);
    const extras = { dayTurnsMax: 7 };
    const answers = Array.from({ length: 10 }, () => {
      world.files.set(FILE, text(0, 5));
      return world.stop('tiny.md', 'hm', 'one', extras).decision;
    });
    expect(answers.filter(({ kind }) => kind === 'continue')).toHaveLength(6);
    expect(answers.at(-1)).toMatchObject({ kind: 'halt', guard: 'day-max', limit: 7, actual: 10 });
    world.files.set(FILE, text(0, 5));
    expect(world.stop('tiny.md', 'hm', 'one', { dayTurnsMax: 100 }).decision.kind).toBe('continue');
  });

  it('obeys its file while it is paused: switched off, and deleted', () => {
    for (const edit of [undefined, text(1, 5, false)]) {
      const world = aDialectWorld(tiny);
      world.files.set(FILE, text(0, 5));
      world.stop('tiny.md', 'hm');
      runSync(handleEvent('loop-1', { kind: 'pause-requested' }), world.effects);
      if (edit === undefined) world.files.delete(FILE);
      else world.files.set(FILE, edit);
      expect(world.stop('tiny.md', 'hm').decision.kind).toBe('cancel');
    }
  });

  it('writes again after a crash between commit and rename, without counting twice', () => {
    const world = aDialectWorld(tiny);
    world.files.set(FILE, text(0, 5));
    const fails = (): never => {
      throw new Error('the power failed');
    };
    const first = aStopOf(tiny, 'tiny.md', { message: 'hm', size: 1, session: 'session-1' });
    expect(() => runSync(first, { ...world.effects, replaceFile: fails })).toThrow('power');
    expect(world.files.get(FILE)).toBe(text(0, 5));
    expect(world.stop('tiny.md', 'hm again').decision).toMatchObject({ kind: 'continue', iteration: 3 });
    expect(world.files.get(FILE)).toBe(text(2, 5));
    expect(world.store.entries('loop-1').some((entry) => entry.event.kind === 'file-edited')).toBe(false);
  });

  it('starts a new loop when a file appears after the end', () => {
    const world = aDialectWorld(tiny);
    world.files.set(FILE, text(0, 5));
    expect(world.stop('tiny.md', 'all finished').decision).toMatchObject({ kind: 'complete', verified: false });
    expect(world.files.has(FILE)).toBe(false);
    expect(world.stop('tiny.md', 'hm').decision).toEqual({ kind: 'abstain', because: 'no-loop' });
    world.files.set(FILE, text(0, 3));
    expect(world.stop('tiny.md', 'hm').decision).toMatchObject({ kind: 'continue', iteration: 2 });
    expect(world.loop('tiny.md')?.state.loop).toBe('loop-2');
  });

  it('lets the agent stop while the file cannot be read, leaves it alone, and continues when it can', () => {
    const world = aDialectWorld(tiny);
    world.files.set(FILE, text(0, 5));
    world.stop('tiny.md', 'hm');
    world.files.set(FILE, 'my own notes, half written');
    expect(world.stop('tiny.md', 'hm').decision).toEqual({ kind: 'abstain', because: 'file-unreadable' });
    expect(world.files.get(FILE)).toBe('my own notes, half written');
    world.files.set(FILE, text(1, 5));
    expect(world.stop('tiny.md', 'hm').decision).toMatchObject({ kind: 'continue', iteration: 3 });
  });

  it('never starts from a file that is switched off or broken', () => {
    const world = aDialectWorld(tiny);
    for (const odd of [text(0, 5, false), 'nothing', '---\nn: [\n---\n']) {
      world.files.set(FILE, odd);
      expect(world.stop('tiny.md', 'hm').decision).toEqual({ kind: 'abstain', because: 'no-loop' });
      expect(world.files.get(FILE)).toBe(odd);
    }
  });
});

it('a turn is read from the reply that began it, in the words of the version that gave it', () => {
  const inTurn: Dialect = { ...tiny, read: (given) => ({ ...tiny.read(given), claimInTurn: true }) };
  const world = aDialectWorld(inTurn);
  world.files.set(FILE, text(0, 5));
  const place = {
    live: { dialect: inTurn, path: FILE },
    cwd: PROJECT,
    file: 'tiny.md',
    session: { host: 'claude-code', id: 'one' },
  };
  const earlier: Effects = {
    ...world.effects,
    commit: (loop, head, draft) =>
      world.effects.commit(loop, head, { ...draft, prompt: promptMark('As an earlier version said it.\nGo on.') }),
  };
  const replies: string[] = [];
  const stopWith = (effects: Effects, messageHash: string): void => {
    const turnText = (reply: string): string => {
      replies.push(reply);
      return '';
    };
    const event = { kind: 'turn-ended', iteration: null, worker: null, mark: { messageHash } } as const;
    runSync(handleDialectEvent(place, event, { turnText }), effects);
  };
  stopWith(earlier, 'a');
  stopWith(world.effects, 'b');
  stopWith(world.effects, 'c');
  expect(replies).toEqual(['', 'As an earlier version said it.', 'Go on (3 of 5).']);
});
