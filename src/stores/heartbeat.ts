import { isFault } from '../core/fault.ts';
import type { ClockReading } from '../core/evidence.ts';
import type { LoopId } from '../core/loop.ts';
import { readTextIfExists, writeFileAtomic } from '../system/files.ts';
import { filesOf } from './loop-files.ts';

/** Records that the driver was alive at that time. Never synced. `false` = not written: at worst, the driver counts as dead sooner. */
export function writeHeartbeat(home: string, loop: LoopId, clock: ClockReading): boolean {
  try {
    writeFileAtomic(filesOf(home, loop).heartbeat, JSON.stringify(clock), { durable: false });
    return true;
  } catch (error) {
    if (isFault(error)) return false;
    throw error;
  }
}

/** `null` = missing or unreadable. */
export function readHeartbeat(home: string, loop: LoopId): ClockReading | null {
  try {
    const value: unknown = JSON.parse(readTextIfExists(filesOf(home, loop).heartbeat) ?? 'null');
    return isClockReading(value) ? value : null;
  } catch (error) {
    // Not synced, so a power cut may leave anything in it.
    if (isFault(error) || error instanceof SyntaxError) return null;
    throw error;
  }
}

function isClockReading(value: unknown): value is ClockReading {
  if (typeof value !== 'object' || value === null) return false;
  if (!('wallMs' in value && 'monotonicMs' in value && 'boot' in value)) return false;
  return typeof value.wallMs === 'number' && typeof value.monotonicMs === 'number' && typeof value.boot === 'string';
}
