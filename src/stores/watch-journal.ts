import type { FSWatcher } from 'node:fs';
import { statSync, watch } from 'node:fs';
import { ignoringErrno } from '../system/errno.ts';
import type { LoopFiles } from './loop-files.ts';
import { JOURNAL_NAME } from './loop-files.ts';

/** The polling interval, for when the system cannot report changes (network disks, no watchers left). */
const POLL_MS = 500;
/** Commits closer together than this are reported once. */
const COALESCE_MS = 20;

/** Calls back after the journal has changed, until stopped. Does not keep the process alive. */
export function watchJournal(files: LoopFiles, changed: () => void): { stop(): void } {
  let seen = signOf(files);
  let soon: NodeJS.Timeout | undefined;
  const look = (): void => {
    soon = undefined;
    const now = signOf(files);
    if (now === seen) return;
    seen = now;
    changed();
  };
  const lookSoon = (name: string | null): void => {
    if (soon === undefined && (name === null || name === JOURNAL_NAME)) soon = setTimeout(look, COALESCE_MS).unref();
  };
  const watcher = startWatcher(files.dir, lookSoon);
  const poll = setInterval(look, POLL_MS).unref();
  return {
    stop: () => {
      clearInterval(poll);
      clearTimeout(soon);
      watcher?.close();
    },
  };
}

/** `undefined` = only polling is possible. */
function startWatcher(dir: string, onName: (name: string | null) => void): FSWatcher | undefined {
  const watcher = ignoringErrno(() => watch(dir, { persistent: false }, (_, name) => onName(name)));
  // The directory was removed, or the system ran out of watchers: polling continues.
  watcher?.on('error', () => watcher.close());
  return watcher;
}

function signOf(files: LoopFiles): string {
  const stats = ignoringErrno(() => statSync(files.journal, { throwIfNoEntry: false }));
  return stats === undefined ? '' : `${stats.ino}:${stats.size}`;
}
