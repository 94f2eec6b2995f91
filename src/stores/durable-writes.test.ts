/** What is on disk before it is reported. A power cut cannot be tested, but the order of the system calls can be observed. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aProject } from '../../test/support/a-project.ts';
import { aDraft, aStartDraft, begin, steering } from '../../test/support/drafts.ts';
import { codeOf } from '../../test/support/fault-of.ts';
import { writeFileAtomic } from '../system/files.ts';
import { makeDurableDir } from './durable-dir.ts';
import { openFileStore } from './file-store.ts';
import { openLineStore } from './line-store.ts';
import { filesOf } from './loop-files.ts';
import { openTrust } from './trust.ts';

const calls: string[] = [];
const names = new Map<number, string>();
const { openSync, fsyncSync, fdatasyncSync, renameSync, mkdirSync } = fs;
const real = { openSync, fsyncSync, fdatasyncSync, renameSync, mkdirSync };

beforeEach(() => {
  calls.length = 0;
  fs.openSync = ((file: fs.PathLike, ...rest: never[]) => {
    const descriptor = real.openSync(file, ...(rest as unknown as [string]));
    names.set(descriptor, String(file));
    return descriptor;
  }) as typeof fs.openSync;
  fs.fsyncSync = (descriptor) => {
    calls.push(`fsync ${nameOf(descriptor)}`);
    real.fsyncSync(descriptor);
  };
  fs.fdatasyncSync = (descriptor) => {
    calls.push(`fdatasync ${nameOf(descriptor)}`);
    real.fdatasyncSync(descriptor);
  };
  fs.renameSync = (from, to) => {
    calls.push(`rename ${path.basename(String(to))}`);
    real.renameSync(from, to);
  };
  fs.mkdirSync = ((dir: fs.PathLike, options: fs.MakeDirectoryOptions) => {
    const made = real.mkdirSync(dir, options);
    calls.push(`mkdir ${path.basename(String(dir))}`);
    return made;
  }) as typeof fs.mkdirSync;
  syncBuiltinESMExports();
});
afterEach(() => {
  Object.assign(fs, real);
  syncBuiltinESMExports();
});

/** A temporary file is named after the file it will become. */
function nameOf(descriptor: number): string {
  return path.basename(names.get(descriptor) ?? '?').replace(/^\.(.+)\.[^.]+\.tmp$/u, 'new $1');
}

describe('a durable write', () => {
  it('syncs the bytes, renames, and syncs the directory, in this order', () => {
    const dir = aProject();
    calls.length = 0;
    writeFileAtomic(path.join(dir, 'a.json'), '{}', { durable: true });
    expect(calls).toEqual(['fsync new a.json', 'rename a.json', `fsync ${path.basename(dir)}`]);
    calls.length = 0;
    writeFileAtomic(path.join(dir, 'a.json'), '{}', { durable: false });
    expect(calls).toEqual(['rename a.json']);
  });

  it('of a directory syncs every one above it that got a new name', () => {
    const dir = aProject();
    calls.length = 0;
    makeDurableDir(path.join(dir, 'a', 'b', 'c'));
    const base = path.basename(dir);
    expect(calls).toEqual(['mkdir a', 'mkdir b', 'mkdir c', 'fsync b', 'fsync a', `fsync ${base}`]);
    calls.length = 0;
    // The process that made it may have been killed before its sync.
    makeDurableDir(path.join(dir, 'a', 'b', 'c'));
    expect(calls).toEqual(['fsync b']);
  });

  it('of a permission is on the disk, and so is its end', () => {
    const home = aProject();
    const trust = openTrust(home);
    trust.deny('/p/config.json');
    calls.length = 0;
    trust.allow('/p/config.json', '{}');
    expect(calls.filter((call) => call.startsWith('fsync'))).toEqual([
      'fsync trust',
      expect.stringMatching(/^fsync new [0-9a-f]{64}$/u),
      'fsync allowed',
      'fsync denied',
    ]);
  });
});

describe('a commit', () => {
  it('of a new loop syncs the journal, then the directory that names it', () => {
    const store = openFileStore({ home: aProject() });
    store.create('a', aStartDraft('a'));
    const synced = calls.filter((call) => call.includes('sync'));
    expect(synced.slice(-2)).toEqual(['fdatasync journal.jsonl', 'fsync a']);
  });

  it('has its long texts on the disk before the line that names them', () => {
    const store = openFileStore({ home: aProject() });
    const begun = begin(store, 'a');
    calls.length = 0;
    store.commit('a', begun.head, aDraft(begun, steering('x'.repeat(9000))));
    expect(calls.filter((call) => call.includes('sync'))).toEqual([
      'fsync a',
      expect.stringMatching(/^fsync new [0-9a-f]{64}$/u),
      'fsync blobs',
      'fdatasync journal.jsonl',
    ]);
  });

  it('of a hook is one sync and nothing else', () => {
    const home = aProject();
    const begun = begin(openFileStore({ home }), 'a');
    const store = openLineStore({ home, quick: true });
    store.load('a');
    calls.length = 0;
    store.commit('a', begun.head, aDraft(begun, steering('on')));
    expect(calls).toEqual(['fdatasync journal.jsonl']);
  });
});

describe('a journal that is gone when its line is written', () => {
  it.each(['unlinked', 'replaced'] as const)('is no commit: %s', (how) => {
    const home = aProject();
    let isDue = false;
    const { journal } = filesOf(home, 'a');
    const store = openFileStore({
      home,
      crashPoint: (name) => {
        if (name !== 'before-append' || !isDue) return;
        if (how === 'replaced') fs.cpSync(journal, `${journal}.copy`);
        fs.rmSync(journal);
        if (how === 'replaced') real.renameSync(`${journal}.copy`, journal);
      },
    });
    const begun = begin(store, 'a');
    isDue = true;
    const commit = (): unknown => store.commit('a', begun.head, aDraft(begun, steering('lost')));
    const outcome = how === 'unlinked' ? codeOf(commit) : commit();
    expect(outcome).toEqual(how === 'unlinked' ? 'JOURNAL_TRUNCATED' : { kind: 'conflict' });
  });

  it('was noticed before: a driver that holds it open looks for its name', () => {
    const home = aProject();
    const store = openFileStore({ home });
    const begun = begin(store, 'a');
    const { journal } = filesOf(home, 'a');
    const held = fs.openSync(journal, 'r');
    const { size } = fs.fstatSync(held);
    fs.rmSync(journal);
    expect(codeOf(() => store.commit('a', begun.head, aDraft(begun, steering('x'))))).toBe('JOURNAL_TRUNCATED');
    expect(fs.fstatSync(held).size).toBe(size);
    fs.closeSync(held);
  });

  it('is cut for a hook too when somebody else wrote the last entry', () => {
    const home = aProject();
    const begun = begin(openFileStore({ home }), 'a');
    const quick = openLineStore({ home, quick: true });
    const snapped = quick.commit('a', begun.head, aDraft(begun, steering('by a hook')));
    if (snapped.kind === 'conflict') throw new Error('nobody else is here');
    const { journal } = filesOf(home, 'a');
    const { size } = fs.statSync(journal);
    const { loaded } = snapped;
    openFileStore({ home }).commit('a', loaded.head, aDraft(loaded, steering('by a person')));
    fs.truncateSync(journal, size);
    expect(codeOf(() => openLineStore({ home, quick: true }).load('a'))).toBe('JOURNAL_TRUNCATED');
  });

  it('is not believed to be as long as its snapshot says', () => {
    const home = aProject();
    const begun = begin(openFileStore({ home }), 'a');
    const quick = openLineStore({ home, quick: true });
    quick.load('a');
    quick.commit('a', begun.head, aDraft(begun, steering('on')));
    const { journal, head } = filesOf(home, 'a');
    fs.rmSync(head, { force: true });
    fs.truncateSync(journal, fs.statSync(journal).size - 1);
    // Only its last newline: nothing is lost.
    expect(openLineStore({ home, quick: true }).load('a')?.head.revision).toBe(3);
    fs.truncateSync(journal, fs.statSync(journal).size - 10);
    expect(codeOf(() => openLineStore({ home, quick: true }).load('a'))).toBe('JOURNAL_TRUNCATED');
  });
});
