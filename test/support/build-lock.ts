import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const WAIT_MS_MAX = 120_000;
const POLL_MS = 100;

/**
 * One build at a time on this machine; the second process waits and then finds everything built. The lock file appears with its owner's pid already
 * in it (`link` of a finished file). Two processes may in theory both remove the lock of a dead owner and then both build: wasteful but not
 * dangerous, because each builds in its own folder.
 */
export async function withBuildLock(path: string, build: () => Promise<void>): Promise<void> {
  const own = `${path}.${process.pid}`;
  writeFileSync(own, String(process.pid));
  try {
    for (let waitedMs = 0; !taken(own, path); waitedMs += POLL_MS) {
      if (waitedMs >= WAIT_MS_MAX) throw new Error(`Another test run has been building for too long. Delete ${path}.`);
      await sleep(POLL_MS);
    }
    await build();
  } finally {
    if (ownerOf(path) === process.pid) rmSync(path, { force: true });
    rmSync(own, { force: true });
  }
}

function taken(own: string, path: string): boolean {
  try {
    linkSync(own, path);
    return true;
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
    const owner = ownerOf(path);
    if (owner !== null && !isAlive(owner)) rmSync(path, { force: true });
    return false;
  }
}

function ownerOf(path: string): number | null {
  try {
    return Number(readFileSync(path, 'utf8'));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
