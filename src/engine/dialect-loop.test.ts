import { describe, expect, it } from 'vitest';
import { aDialectWorld } from '../../test/support/dialect-world.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { setFields, readFrontMatter } from '../dialects/front-matter.ts';

/** The smallest dialect there can be: a counter, a maximum, a word, a switch. */
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
  wordsFor: ({ decision }) => ({ goesOn: decision.kind === 'continue', text: '', reason: '' }),
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
      expect(world.stop('tiny.md', 'hm').decision).toEqual({ kind: 'cancel' });
      expect(world.loop('tiny.md')?.state.status).toBe('cancelled');
    }
  });

  it('counts a raised maximum at the very next stop, and never a lowered counter', () => {
    const world = aDialectWorld(tiny);
    world.files.set(FILE, text(0, 2));
    world.stop('tiny.md', 'hm');
    world.files.set(FILE, text(0, 9));
    expect(world.stop('tiny.md', 'hm').decision).toMatchObject({ kind: 'continue', iteration: 3 });
    expect(world.files.get(FILE)).toBe(text(2, 9));
  });

  it('writes again after a crash between commit and rename, without counting twice', () => {
    const world = aDialectWorld(tiny);
    world.files.set(FILE, text(0, 5));
    world.stop('tiny.md', 'hm');
    world.files.set(FILE, text(0, 5));
    expect(world.stop('tiny.md', 'hm').decision).toMatchObject({ kind: 'continue', iteration: 3 });
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

  it('lets the agent stop while the file cannot be read, leaves it alone, and goes on when it can', () => {
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
