import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { begin, commit, post, steering } from '../../test/support/drafts.ts';
import { faultOf } from '../../test/support/fault-of.ts';
import { isFault } from '../core/fault.ts';
import type { Loaded } from '../engine/ports.ts';
import { openFileStore } from './file-store.ts';
import { openLineStore } from './line-store.ts';
import { filesOf } from './loop-files.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'tireless-bytes-'));
});
afterEach(() => rmSync(home, { recursive: true }));

/** A journal with entries of many kinds, a long text in a blob, and a line that lost its race. */
function aJournal(): { loaded: Loaded; bytes: Buffer } {
  const store = openFileStore({ home });
  let loaded = begin(store, 'a');
  loaded = commit(store, loaded, steering('x'.repeat(7000)));
  let isFirst = true;
  const slow = openFileStore({
    home,
    crashPoint: (name) => {
      if (name === 'before-append' && isFirst) {
        isFirst = false;
        loaded = commit(store, loaded, steering('first'));
      }
    },
  });
  post(slow, 'a', { kind: 'pause-requested' });
  post(store, 'a', { kind: 'resume-requested' });
  post(store, 'a', steering('last'));
  const last = openFileStore({ home }).load('a');
  if (last === undefined) throw new Error('no loop');
  return { loaded: last, bytes: readFileSync(filesOf(home, 'a').journal) };
}

/** The same numbers in every run, so that a byte that fails can be named. */
function* randomNumbers(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state;
  }
}

type Reading = Loaded | { readonly fault: string };

function readingOf(read: () => Loaded | undefined): Reading {
  try {
    const loaded = read();
    return loaded ?? { fault: 'no loop' };
  } catch (error) {
    if (!isFault(error)) throw error;
    return { fault: error.code };
  }
}

/** What a reading must be: this fault, or exactly what was committed. */
const faultOr = (reading: Reading, fault: string, loaded: Loaded): Reading => ('fault' in reading ? { fault } : loaded);

const readers = {
  whole: () => openFileStore({ home }).load('a'),
  quick: () => openLineStore({ home, quick: true }).load('a'),
};

describe('a journal with a flipped bit', () => {
  it('is broken, or reads as before, wherever the bit is', () => {
    const { loaded, bytes } = aJournal();
    const file = filesOf(home, 'a').journal;
    const numbers = randomNumbers(14);
    const places = [...bytes.keys()].filter((at) => at % 29 === 0 || bytes.length - at < 200);
    for (const at of places) {
      const bit = 1 << (numbers.next().value >>> 29);
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ bit;
      writeFileSync(file, changed);
      for (const [name, read] of Object.entries(readers)) {
        const reading = readingOf(read);
        expect([name, at, bit, reading]).toEqual([name, at, bit, faultOr(reading, 'JOURNAL_BROKEN', loaded)]);
      }
      expect([...openFileStore({ home }).list({ ended: 'both' }), loaded].at(0)).toEqual(loaded);
    }
  });

  it('is broken when a whole byte or many of them are others', () => {
    const { loaded, bytes } = aJournal();
    const file = filesOf(home, 'a').journal;
    const numbers = randomNumbers(6);
    for (let round = 0; round < 100; round += 1) {
      const changed = Buffer.from(bytes);
      const at = numbers.next().value % bytes.length;
      const length = 1 + (numbers.next().value % (round % 3 === 0 ? 400 : 3));
      for (let byte = at; byte < Math.min(at + length, bytes.length); byte += 1)
        changed[byte] = numbers.next().value >>> 24;
      writeFileSync(file, changed);
      const reading = readingOf(readers.whole);
      expect([round, at, reading]).toEqual([round, at, faultOr(reading, 'JOURNAL_BROKEN', loaded)]);
    }
  });

  it('is reported when its end was cut off, however little of it', () => {
    const { loaded, bytes } = aJournal();
    const file = filesOf(home, 'a').journal;
    for (let length = bytes.length - 1; length >= 0; length -= length > bytes.length - 50 ? 1 : 37) {
      writeFileSync(file, bytes.subarray(0, length));
      for (const read of Object.values(readers)) {
        const reading = readingOf(read);
        expect([length, reading]).toEqual([length, faultOr(reading, 'JOURNAL_TRUNCATED', loaded)]);
      }
    }
  });

  it('is broken, and not of a newer version, when that bit is in the version of an entry', () => {
    const { bytes } = aJournal();
    const lines = bytes.toString().split('\n');
    for (const [at, line] of lines.entries()) {
      const changed = lines.with(at, line.replace('{"v":1,', '{"v":3,')).join('\n');
      if (changed === bytes.toString()) continue;
      writeFileSync(filesOf(home, 'a').journal, changed);
      expect([at, readingOf(readers.whole)]).toMatchObject([at, { fault: 'JOURNAL_BROKEN' }]);
    }
  });

  it('is broken when an entry was added that nobody of us can have written', () => {
    const { loaded, bytes } = aJournal();
    const file = filesOf(home, 'a').journal;
    const { revision, hash } = loaded.head;
    const forged = {
      v: 1,
      revision: revision + 1,
      prev: hash,
      at: 'x',
      event: { kind: 'x' },
      evidence: {},
      decision: { kind: 'x' },
    };
    writeFileSync(file, `${bytes.toString()}\n${JSON.stringify(forged)}\n`);
    expect(faultOf(readers.whole)).toMatchObject({ code: 'JOURNAL_BROKEN' });
    expect(faultOf(readers.quick)).toMatchObject({ code: 'JOURNAL_BROKEN' });
  });
});

describe('the newest entry', () => {
  it('is confirmed in a separate place after every commit', () => {
    const store = openFileStore({ home });
    const begun = begin(store, 'a');
    const { journal, head } = filesOf(home, 'a');
    expect(existsSync(head)).toBe(true);
    const before = readFileSync(journal);
    commit(store, begun, steering('gone'));
    writeFileSync(journal, before);
    expect(faultOf(readers.whole)).toMatchObject({ code: 'JOURNAL_TRUNCATED' });
    expect(faultOf(readers.quick)).toMatchObject({ code: 'JOURNAL_TRUNCATED' });
  });

  it('counts also when whoever wrote it was killed before it could vouch for it', () => {
    const store = openFileStore({ home });
    const begun = begin(store, 'a');
    const { head } = filesOf(home, 'a');
    const old = readFileSync(head);
    const next = commit(store, begun, steering('kept'));
    const damaged = Buffer.from(old.toString().replace(/^\d+/u, '9'));
    for (const bytes of [old, old.subarray(0, 20), damaged, Buffer.from('')]) {
      writeFileSync(head, bytes);
      expect(readers.whole()).toEqual(next);
    }
    rmSync(head);
    expect(readers.whole()).toEqual(next);
  });

  it('that was cut in its very first line is reported by a list, and hides no other loop', () => {
    const warnings: string[] = [];
    const store = openFileStore({ home, warn: (sentence) => warnings.push(sentence) });
    begin(store, 'a');
    begin(store, 'b');
    const { journal, head } = filesOf(home, 'a');
    writeFileSync(journal, readFileSync(journal).subarray(0, 40));
    rmSync(head);
    expect(store.list({ ended: 'both' }).map(({ state }) => state.loop)).toEqual(['b']);
    expect(warnings).toEqual([expect.stringContaining(path.dirname(journal))]);
    expect(warnings[0]).toContain('has no whole entry');
  });
});
