import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codeOf, faultOf } from '../../test/support/fault-of.ts';
import { aDraft, aStop, begin, commit, post, steering } from '../../test/support/drafts.ts';
import { openFileStore } from './file-store.ts';
import { filesOf } from './loop-files.ts';

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

describe('a journal that was torn', () => {
  it('loses nothing but the unfinished last line', () => {
    const begun = begin(open(), 'a');
    appendFileSync(journal(), '\n{"v":1,"revision":3,"prev":"');

    expect(open().load('a')).toEqual(begun);
    const next = commit(open(), begun, steering('on it goes'));
    expect(open().load('a')).toEqual(next);
    expect(open().health('a')).toEqual({ revision: 3, torn: 1, voided: 0, fault: null });
  });

  it('skips an unfinished line in the middle, whoever wrote the next', () => {
    const store = open();
    const begun = begin(store, 'a');
    appendFileSync(journal(), '\n{"v":1,"revi');
    const next = commit(store, begun, steering('one'));
    appendFileSync(journal(), '\u0000\u0000\n\n}{\n');
    const last = commit(store, next, steering('two'));

    expect(last.head.revision).toBe(4);
    expect(open().load('a')).toEqual(last);
    expect(open().health('a').torn).toBe(3);
    expect(store.load('a')).toEqual(last);
  });

  it('counts a line that lacks only its newline, now and later', () => {
    const begun = begin(open(), 'a');
    const next = commit(open(), begun, steering('whole'));
    truncateSync(journal(), statSync(journal()).size - 1);

    expect(open().load('a')).toEqual(next);
    const last = commit(open(), next, steering('after'));
    expect(open().load('a')).toEqual(last);
  });

  it('does not take a line that is being written for a torn one', () => {
    const writer = open();
    const reader = open();
    const begun = begin(writer, 'a');
    const size = statSync(journal()).size;
    const next = commit(writer, begun, steering('slowly'));
    const whole = readFileSync(journal());
    // The head mark is not written before the line is complete.
    rmSync(filesOf(home, 'a').head);
    for (const written of [size, size + 1, size + 2, size + 40, whole.length - 2]) {
      writeFileSync(journal(), whole.subarray(0, written), { flag: 'r+' });
      truncateSync(journal(), written);
      expect(reader.load('a')).toEqual(begun);
    }
    writeFileSync(journal(), whole, { flag: 'r+' });

    expect(reader.load('a')).toEqual(next);
  });
});

describe('two writers of one revision', () => {
  it('leaves the later line void for every reader, and continues after it', () => {
    const begun = begin(open(), 'a');
    const won = commit(open(), begun, steering('first'));
    const other = mkdtempSync(path.join(tmpdir(), 'tireless-twin-'));
    try {
      // What a writer that had not seen the first one would have appended.
      cpSync(home, other, { recursive: true });
      const before = `${lines().slice(0, 2).join('\n')}\n`;
      writeFileSync(filesOf(other, 'a').journal, before);
      rmSync(filesOf(other, 'a').head);
      commit(openFileStore({ home: other }), begun, steering('second'));
      appendFileSync(journal(), `\n${readFileSync(filesOf(other, 'a').journal, 'utf8').slice(before.length).trim()}\n`);
    } finally {
      rmSync(other, { recursive: true });
    }

    expect(open().load('a')).toEqual(won);
    const next = commit(open(), won, steering('third'));
    expect(open().load('a')?.state.steering).toEqual(['first', 'third']);
    expect(
      open()
        .entries('a')
        .map((entry) => entry.revision),
    ).toEqual([1, 2, 3, 4]);
    expect(open().health('a')).toEqual({ revision: next.head.revision, torn: 0, voided: 1, fault: null });
  });

  it('lets a writer that remembers an old end see who won', () => {
    const [a, b] = [open(), open()];
    const begun = begin(a, 'a');
    b.load('a');
    commit(a, begun, steering('first'));
    post(b, 'a', steering('second'));
    post(a, 'a', steering('third'));

    expect(open().load('a')?.state.steering).toEqual(['first', 'second', 'third']);
  });

  it.each(['before-append', 'after-partial-append'] as const)(
    'gives one of two equal entries its place, when the other comes %s',
    (moment) => {
      const begun = begin(open(), 'a');
      const draft = aDraft(begun, aStop('the same'));
      const results: string[] = [];
      const slow = openFileStore({
        home,
        crashPoint: (name) => {
          if (name === moment) results.push(open().commit('a', begun.head, draft).kind);
        },
      });
      results.push(slow.commit('a', begun.head, draft).kind);

      expect(results).toEqual(['committed', 'conflict']);
      for (const reader of [open(), slow]) expect(reader.load('a')?.state.counted).toBe(1);
      const { revision, torn, voided } = open().health('a');
      expect({ revision, lost: torn + voided > 0 }).toEqual({ revision: 3, lost: true });
    },
  );

  it('tells a writer that its entry stands when others have gone on behind it', () => {
    const begun = begin(open(), 'a');
    const slow = openFileStore({
      home,
      crashPoint: (name) => {
        if (name === 'after-append') post(open(), 'a', steering('behind it'));
      },
    });
    const result = slow.commit('a', begun.head, aDraft(begun, steering('mine')));

    // Each gets the result of its own step: two simultaneous stops are not both told to begin the newest iteration.
    expect(result).toMatchObject({
      kind: 'committed',
      loaded: { head: { revision: 3 }, state: { steering: ['mine'] } },
    });
    expect(slow.load('a')).toMatchObject({ head: { revision: 4 }, state: { steering: ['mine', 'behind it'] } });
  });
});

describe('a journal that someone changed', () => {
  it('is broken when a past entry was edited', () => {
    const store = open();
    let loaded = begin(store, 'a');
    for (const text of ['one', 'two', 'three']) loaded = commit(store, loaded, steering(text));
    rewrite((text) => text.replace('"text":"two"', '"text":"TWO"'));

    const fault = faultOf(() => open().load('a'));
    expect(fault.code).toBe('JOURNAL_BROKEN');
    expect(fault.message).toContain(`${journal()} is broken at line 10: revision 5`);
    expect(fault.message).toContain('Good up to revision 4');
    expect(fault.message).toContain('Restore the file from a backup');
    expect(codeOf(() => open().entries('a'))).toBe('JOURNAL_BROKEN');
    expect(codeOf(() => open().commit('a', loaded.head, aDraft(loaded, steering('x'))))).toBe('JOURNAL_BROKEN');
    expect(open().health('a')).toMatchObject({ revision: 4, fault: { code: 'JOURNAL_BROKEN' } });
    // A store that was open all the time notices too: the file is a different one, or its length changed.
    expect(codeOf(() => store.load('a'))).toBe('JOURNAL_BROKEN');
  });

  it('is broken when a past entry was removed', () => {
    const store = open();
    let loaded = begin(store, 'a');
    for (const text of ['one', 'two', 'three']) loaded = commit(store, loaded, steering(text));
    rewrite((text) => text.replace(/^.*"text":"two".*\n/mu, ''));

    expect(codeOf(() => open().load('a'))).toBe('JOURNAL_BROKEN');
    expect(codeOf(() => store.load('a'))).toBe('JOURNAL_BROKEN');
  });

  it('is broken when the last entry was edited after the loop came to rest', () => {
    const begun = begin(open(), 'a');
    commit(open(), begun, { kind: 'cancel-requested' });
    rewrite((text) => text.replace(/"at":"2026-01-01T00:00:00.2/u, '"at":"2026-01-01T00:00:00.3'));

    const fault = faultOf(() => open().load('a'));
    expect(fault.code).toBe('JOURNAL_BROKEN');
    expect(fault.message).toContain('snapshot.json');
    // A list trusts the past if the length is the same; whoever acts on the loop loads it.
    expect(open().list({ ended: 'both' })).toHaveLength(1);
  });

  it('is truncated when less is left than was committed', () => {
    const store = open();
    const begun = begin(store, 'a');
    commit(store, begun, { kind: 'pause-requested' });
    truncateSync(journal(), Buffer.byteLength(`\n${lines()[0]}\n`));

    for (const reader of [open(), store]) {
      const fault = faultOf(() => reader.load('a'));
      expect(fault.code).toBe('JOURNAL_TRUNCATED');
      expect(fault.message).toContain('ends at revision 1, but revision 3 was committed');
    }
    rmSync(journal());
    expect(codeOf(() => open().load('a'))).toBe('JOURNAL_TRUNCATED');
  });

  it('is truncated for a driver that has seen more, without any snapshot', () => {
    const store = open();
    commit(store, begin(store, 'a'), steering('one'));
    truncateSync(journal(), Buffer.byteLength(`\n${lines()[0]}\n`));

    expect(codeOf(() => store.load('a'))).toBe('JOURNAL_TRUNCATED');
  });

  it('does not come back to life by a commit when it was removed', () => {
    const store = open();
    const begun = begin(store, 'a');
    rmSync(filesOf(home, 'a').dir, { recursive: true });

    expect(codeOf(() => store.commit('a', begun.head, aDraft(begun, steering('x'))))).toBe('JOURNAL_TRUNCATED');
    expect(existsSync(filesOf(home, 'a').dir)).toBe(false);
  });

  it('is refused when it comes from a newer tireless', () => {
    begin(open(), 'a');
    appendFileSync(journal(), '\n{"v":2,"revision":3}\n');

    const fault = faultOf(() => open().load('a'));
    expect(fault.code).toBe('JOURNAL_VERSION_UNKNOWN');
    expect(fault.message).toContain(journal());
  });

  it('is not the journal of a loop it was copied to', () => {
    begin(open(), 'a');
    cpSync(filesOf(home, 'a').dir, filesOf(home, 'b').dir, { recursive: true });

    expect(codeOf(() => open().load('b'))).toBe('JOURNAL_BROKEN');
    expect(
      open()
        .list({ ended: 'both' })
        .map(({ state }) => state.loop),
    ).toEqual(['a']);
    expect(warnings[0]).toContain('its directory was copied or renamed');
  });

  it('is the same journal when an editor saved it unchanged', () => {
    const store = open();
    const begun = begin(store, 'a');
    rewrite((text) => text);

    expect(store.commit('a', begun.head, aDraft(begun, steering('x'))).kind).toBe('committed');
    expect(open().load('a')?.state.steering).toEqual(['x']);
  });
});

function rewrite(change: (text: string) => string, loop = 'a'): void {
  const temporary = `${journal(loop)}.new`;
  writeFileSync(temporary, change(readFileSync(journal(loop), 'utf8')));
  renameSync(temporary, journal(loop));
}
