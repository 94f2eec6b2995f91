import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { begin, commit, steering } from '../../test/support/drafts.ts';
import { openFileStore } from './file-store.ts';
import { filesOf } from './loop-files.ts';

const PROGRAMS = path.join(import.meta.dirname, '../../dist-test');

let home: string;
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'tireless-watch-'));
});
afterEach(() => rmSync(home, { recursive: true }));

describe('a watcher', () => {
  it('hears of a commit by another process', async () => {
    const store = openFileStore({ home });
    begin(store, 'a');
    const changed = vi.fn<() => void>();
    const watching = store.watch('a', changed);
    const posted = spawnSync(
      process.execPath,
      [path.join(PROGRAMS, 'post-turns.mjs'), home, 'a', 'other', '1', 'never'],
      { encoding: 'utf8' },
    );
    await vi.waitFor(() => expect(changed).toHaveBeenCalled(), 5000);
    watching.stop();

    expect(posted.stdout).toContain('ack other.0 continue 2');
    expect(store.load('a')?.state.counted).toBe(1);
  });

  it('hears of a commit from the system, without polling', async () => {
    const store = openFileStore({ home });
    begin(store, 'a');
    // Nothing moves this clock.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const watching = await new Promise<{ stop(): void }>((resolve) => {
        const started = store.watch('a', () => resolve(started));
        appendFileSync(filesOf(home, 'a').journal, ' ');
      });
      watching.stop();
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('hears of the first commit of a loop that is not there yet', async () => {
    const store = openFileStore({ home });
    const changed = vi.fn<() => void>();
    const watching = store.watch('a', changed);
    begin(store, 'a');
    await vi.waitFor(() => expect(changed).toHaveBeenCalled(), 5000);
    watching.stop();

    expect(changed).toHaveBeenCalled();
  });

  it('keeps no process alive that has nothing else to do', () => {
    begin(openFileStore({ home }), 'a');
    const { status, stdout } = spawnSync(process.execPath, [path.join(PROGRAMS, 'watch-and-leave.mjs'), home], {
      encoding: 'utf8',
      timeout: 20_000,
    });

    expect({ status, stdout }).toEqual({ status: 0, stdout: 'watching\n' });
  });

  it('tells of many commits at once only once in a while', async () => {
    const store = openFileStore({ home });
    let loaded = begin(store, 'a');
    const changed = vi.fn<() => void>();
    const watching = store.watch('a', changed);
    for (let count = 0; count < 50; count += 1) loaded = commit(store, loaded, steering('more'));
    await vi.waitFor(() => expect(changed).toHaveBeenCalled(), 5000);
    watching.stop();

    expect(changed).toHaveBeenCalledTimes(1);
  });
});
