import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codeOf, faultOf } from '../../test/support/fault-of.ts';
import { aDraft, aSessionSpec, aStartDraft, aStop, begin, commit, steering } from '../../test/support/drafts.ts';
import { aResult } from '../../test/support/a-loop.ts';
import { DEFAULT_LIMITS } from '../core/loop.ts';
import { ENTRY_BYTES_MAX } from './deflate-entry.ts';
import { openFileStore } from './file-store.ts';
import { openLineStore } from './line-store.ts';
import { filesOf } from './loop-files.ts';
import { quickSum } from './quick-sum.ts';

let home: string;
const warnings: string[] = [];
const open = () => openFileStore({ home, warn: (sentence) => warnings.push(sentence) });
const journal = (loop = 'a'): string => filesOf(home, loop).journal;
const lines = (loop = 'a'): string[] =>
  readFileSync(journal(loop), 'utf8')
    .split('\n')
    .filter((line) => line !== '');

beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'tireless-files-'));
  warnings.length = 0;
});
afterEach(() => rmSync(home, { recursive: true }));

describe('a list', () => {
  it('shows the other loops when one cannot be read, and reports it', () => {
    const store = open();
    for (const loop of ['a', 'b', 'c']) begin(store, loop);
    rewrite((text) => text.replace('"project"', '"elsewhere"').replace('a-machine', 'b-machine'), 'b');
    writeFileSync(path.join(home, 'loops', 'notes.txt'), 'not a loop');
    mkdirSync(path.join(home, 'loops', 'empty'));
    mkdirSync(path.join(home, 'loops', 'd'));
    writeFileSync(
      journal('d'),
      lines('a')[1]?.replace(/"revision":2,"prev":"[^"]*"/u, '"revision":1,"prev":null') ?? '',
    );

    expect(
      open()
        .list({ ended: 'both' })
        .map(({ state }) => state.loop),
    ).toEqual(['a', 'c']);
    expect(warnings).toEqual([
      expect.stringContaining(journal('b')),
      expect.stringContaining('begins with loop-started'),
    ]);
  });

  it('does without a snapshot that is not exactly what was written', () => {
    const paused = commit(open(), begin(open(), 'a'), { kind: 'pause-requested' });
    const file = filesOf(home, 'a').snapshot;
    const text = readFileSync(file, 'utf8');
    for (const odd of [
      '',
      '{}',
      'null',
      text.slice(0, 100),
      `${text.slice(0, 200)}${' '.repeat(200)}${text.slice(400)}`,
      `${text}}`,
      text.replace('"counted":0', '"counted":7'),
      text.replace('"v":2', '"v":3'),
    ]) {
      writeFileSync(file, odd);
      expect(open().list({ ended: false })).toEqual([paused]);
      expect(open().load('a')).toEqual(paused);
      expect(openLineStore({ home, quick: true }).load('a')).toEqual(paused);
    }
    expect(warnings).toEqual([]);
  });

  it('finds a torn line and a void one behind a snapshot', () => {
    const store = open();
    const paused = commit(store, begin(store, 'a'), { kind: 'pause-requested' });
    appendFileSync(journal(), `\n{"v":1,"rev\n${lines()[1]?.replace('"at":"2026', '"at":"2025')}\n`);
    const cancelled = commit(store, paused, { kind: 'cancel-requested' });

    expect(open().list({ ended: true })).toEqual([cancelled]);
    rmSync(filesOf(home, 'a').snapshot);
    expect(open().list({ ended: true })).toEqual([cancelled]);
  });
});

describe('a snapshot', () => {
  it('is not written on each commit, but before the tail gets long', () => {
    const store = open();
    let loaded = begin(store, 'a');
    const file = filesOf(home, 'a').snapshot;
    while (loaded.head.revision < 63) loaded = commit(store, loaded, aStop(`stop ${loaded.head.revision}`));
    expect(existsSync(file)).toBe(false);
    loaded = commit(store, loaded, aStop('another'));
    expect(existsSync(file)).toBe(true);
    const written = readFileSync(file, 'utf8');
    loaded = commit(store, loaded, aStop('one more'));
    expect(readFileSync(file, 'utf8')).toBe(written);
    expect(open().list({ ended: false })).toEqual([loaded]);
  });

  it('fails no commit when it cannot be written', () => {
    const begun = begin(open(), 'a');
    mkdirSync(path.join(filesOf(home, 'a').snapshot, 'in-the-way'), { recursive: true });
    const store = openFileStore({ home, warn: (sentence) => warnings.push(sentence) });
    rmSync(filesOf(home, 'a').snapshot, { recursive: true });
    store.load('a');
    mkdirSync(path.join(filesOf(home, 'a').snapshot, 'in-the-way'), { recursive: true });

    expect(store.commit('a', begun.head, aDraft(begun, { kind: 'pause-requested' })).kind).toBe('committed');
    expect(warnings).toEqual([expect.stringContaining('The loop was saved, but not its snapshot')]);
  });
});

describe('a snapshot that another build wrote', () => {
  const file = (): string => filesOf(home, 'a').snapshot;

  /** As it would be in the file: with a correct sum, but a state that this build would not have folded. */
  function pretend(change: (text: string) => string): void {
    const rest = change(readFileSync(file(), 'utf8').slice(28)).replace('"counted":0', '"counted":7');
    writeFileSync(file(), `{"sum32":"${quickSum(Buffer.from(rest))}",${rest}`);
  }
  const BUILDS: readonly [string, (text: string) => string][] = [
    ['another one', (text) => text.replace('"stamp":"test"', '"stamp":"0.1.0-0123456789abcdef"')],
    ['the first one, without a stamp', (text) => text.replace('"stamp":"test",', '').replace('"v":2', '"v":1')],
  ];

  it('would be used if this build had written it', () => {
    commit(open(), begin(open(), 'a'), { kind: 'pause-requested' });
    pretend((text) => text);
    expect(open().list({ ended: false })).toMatchObject([{ state: { counted: 7 } }]);
    expect(openLineStore({ home, quick: true }).load('a')).toMatchObject({ state: { counted: 7 } });
  });

  it.each(BUILDS)('is rebuilt from the journal by a list (%s)', (_, change) => {
    const paused = commit(open(), begin(open(), 'a'), { kind: 'pause-requested' });
    const written = readFileSync(file(), 'utf8');
    pretend(change);
    expect(open().list({ ended: false })).toEqual([paused]);
    expect(readFileSync(file(), 'utf8')).toBe(written);
  });

  it.each(BUILDS)('is rebuilt from the journal by the next commit of a hook (%s)', (_, change) => {
    const paused = commit(open(), begin(open(), 'a'), { kind: 'pause-requested' });
    pretend(change);
    const { load, commit: commitLine } = openLineStore({ home, quick: true });
    const loaded = load('a');
    expect(loaded).toEqual(paused);
    const resumed = commitLine('a', paused.head, aDraft(paused, { kind: 'resume-requested' }));
    expect(resumed).toMatchObject({ kind: 'committed', loaded: { state: { counted: 0 } } });
    expect(readFileSync(file(), 'utf8')).toContain('"stamp":"test"');
  });

  it.each(BUILDS)('still tells that the journal was cut (%s)', (_, change) => {
    commit(open(), begin(open(), 'a'), { kind: 'pause-requested' });
    pretend(change);
    writeFileSync(journal(), `\n${lines().slice(0, 2).join('\n\n')}\n`);
    expect(codeOf(() => open().load('a'))).toBe('JOURNAL_TRUNCATED');
  });

  it('still tells a list that its loop has ended', () => {
    const store = open();
    commit(store, begin(store, 'a'), { kind: 'cancel-requested' });
    pretend((text) => text.replace('"stamp":"test"', '"stamp":"0.1.0-0123456789abcdef"'));
    const before = readFileSync(file(), 'utf8');
    expect(open().list({ ended: false })).toEqual([]);
    expect(readFileSync(file(), 'utf8')).toBe(before);
  });
});

it('a hook leaves a snapshot after every commit, so that a stop costs the same at any age', () => {
  let loaded = begin(open(), 'a');
  for (let stop = 1; stop <= 5; stop++) {
    // Each in a process of its own.
    const { load, commit: commitLine } = openLineStore({ home, quick: true });
    load('a');
    const result = commitLine('a', loaded.head, aDraft(loaded, aStop(`stop ${stop}`)));
    if (result.kind !== 'committed') throw new Error(result.kind);
    ({ loaded } = result);
    expect(readFileSync(filesOf(home, 'a').snapshot, 'utf8')).toContain(`"end":${statSync(journal()).size},`);
  }
});

it.each([
  ['a line', 'g'],
  ['blobs', 'g'.repeat(100_000)],
])('a spec of an older shape in %s is completed when it is read', (_, goal) => {
  const whole = begin(open(), 'a', aSessionSpec({ goal, limits: DEFAULT_LIMITS }));
  rewrite((text) => text.replace(/,"noProgressMax":3/u, '').replace('"approveFinish":false', '"since":"0.1"'));
  const [first = ''] = lines();
  expect(first).toContain('"since":"0.1"');
  expect(first).not.toContain('noProgressMax');
  // The other entries follow the old hash: one entry is enough here.
  writeFileSync(journal(), `\n${first}\n`);
  rmSync(filesOf(home, 'a').head);
  const loaded = open().load('a');
  expect(loaded?.asked).toMatchObject({ goal, approveFinish: false, limits: whole.spec.limits });
  expect(open().entries('a')[0]?.event).toMatchObject({ spec: { approveFinish: false, limits: whole.spec.limits } });
});

describe('large values', () => {
  it('leave for blobs, written once, and no line grows beyond its limit', () => {
    const store = open();
    const goal = 'g'.repeat(3_000_000);
    let loaded = begin(store, 'a', aSessionSpec({ goal }));
    const tail = '\u0001'.repeat(4000);
    const checks = Array.from({ length: 20 }, (_, index) => aResult(`check ${index}`, 'failed', { tail }));
    for (const mark of ['one', 'two', 'three'])
      loaded = commit(store, loaded, aStop(mark), { checks, message: { preview: goal, bytes: 1, sketch: [] } });

    expect(lines().every((line) => Buffer.byteLength(line) <= ENTRY_BYTES_MAX)).toBe(true);
    expect(readdirSync(filesOf(home, 'a').blobs)).toHaveLength(2);
    expect(open().load('a')).toEqual(loaded);
  });

  it('are missed by name when their file is gone or changed', () => {
    begin(open(), 'a', aSessionSpec({ goal: 'g'.repeat(10_000) }));
    const blob = path.join(filesOf(home, 'a').blobs, readdirSync(filesOf(home, 'a').blobs)[0] ?? '');
    for (const damage of [() => writeFileSync(blob, '"g"'), () => rmSync(blob)]) {
      damage();
      const fault = faultOf(() => open().load('a'));
      expect(fault.code).toBe('STORE_UNREADABLE');
      expect(fault.message).toContain(blob);
    }
  });
});

describe('a home', () => {
  it('is unusable when it is a file, or inside one', () => {
    const file = path.join(home, 'file');
    writeFileSync(file, '');

    for (const place of [file, path.join(file, 'deeper')]) {
      const fault = faultOf(() => openFileStore({ home: place }));
      expect(fault.code).toBe('HOME_UNUSABLE');
      expect(fault.message).toContain(place);
    }
  });

  it('is named when something stands in the place of its directories', () => {
    writeFileSync(path.join(home, 'loops'), '');

    expect(codeOf(() => open().create('a', aStartDraft('a')))).toBe('STORE_UNWRITABLE');
    expect(codeOf(() => open().list({ ended: 'both' }))).toBe('STORE_UNREADABLE');
    expect(codeOf(() => open().load('a'))).toBe('STORE_UNREADABLE');
  });

  it.skipIf(process.getuid?.() === 0)('is unreadable without the right to read (root may read everything)', () => {
    begin(open(), 'a');
    chmodSync(journal(), 0);
    expect(codeOf(() => open().load('a'))).toBe('STORE_UNREADABLE');
    chmodSync(journal(), 0o400);
    const loaded = open().load('a');
    expect(loaded !== undefined && codeOf(() => commit(open(), loaded, steering('x')))).toBe('STORE_UNWRITABLE');
  });

  it('is made when it is not there, private to the user', () => {
    const deep = path.join(home, 'x', 'y');
    begin(openFileStore({ home: deep }), 'a');

    expect(statSync(deep).mode & 0o077).toBe(0);
    expect(statSync(filesOf(deep, 'a').journal).mode & 0o077).toBe(0);
  });

  it('keeps every odd id inside it', () => {
    const inner = path.join(home, 'inner');
    const store = openFileStore({ home: inner });
    for (const id of ['../../escape', '/tmp/escape', '..']) {
      begin(store, id);
      store.bindSession({ host: id, id }, id);
    }

    expect(readdirSync(home)).toEqual(['inner']);
    expect(readdirSync(inner).toSorted()).toEqual(['armed', 'loops', 'sessions', 'timed']);
  });
});

function rewrite(change: (text: string) => string, loop = 'a'): void {
  const temporary = `${journal(loop)}.new`;
  writeFileSync(temporary, change(readFileSync(journal(loop), 'utf8')));
  renameSync(temporary, journal(loop));
}
