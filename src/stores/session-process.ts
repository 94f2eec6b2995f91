import { isFault } from '../core/fault.ts';
import type { LoopId, SessionRef, Worker } from '../core/loop.ts';
import { isSameSession } from '../core/loop.ts';
import { readTextIfExists, writeFileAtomic } from '../system/files.ts';
import { filesOf } from './loop-files.ts';

/** The process that runs the session of a loop. Never synced, and not the truth: without it, readers use the time of the last sign of life. */
export function writeSessionProcess(home: string, loop: LoopId, session: SessionRef, worker: Worker): void {
  try {
    writeFileAtomic(filesOf(home, loop).sessionProcess, JSON.stringify({ session, worker }), { durable: false });
  } catch (error) {
    if (!isFault(error)) throw error;
  }
}

/** `null` = missing, unreadable, or of another session. */
export function readSessionProcess(home: string, loop: LoopId, session: SessionRef): Worker | null {
  try {
    const value: unknown = JSON.parse(readTextIfExists(filesOf(home, loop).sessionProcess) ?? 'null');
    return isNotedProcess(value) && isSameSession(value.session, session) ? value.worker : null;
  } catch (error) {
    // Not synced, so a power cut may leave anything in it.
    if (isFault(error) || error instanceof SyntaxError) return null;
    throw error;
  }
}

type NotedProcess = { readonly session: SessionRef; readonly worker: Worker };

function isNotedProcess(value: unknown): value is NotedProcess {
  if (typeof value !== 'object' || value === null || !('session' in value && 'worker' in value)) return false;
  const { session, worker } = value;
  return (
    hasTexts(session, ['host', 'id']) &&
    hasTexts(worker, ['machine', 'boot', 'startTime']) &&
    typeof Reflect.get(worker, 'pid') === 'number'
  );
}

function hasTexts(value: unknown, names: readonly string[]): value is object {
  return (
    typeof value === 'object' && value !== null && names.every((name) => typeof Reflect.get(value, name) === 'string')
  );
}
