import type { ClockReading } from '../core/evidence.ts';

/** A worker tells every few seconds that it lives; far above that, since a machine may be slow or its clock a little off. */
const SILENT_MS_MAX = 2 * 60 * 1000;
/** A heartbeat from further in the future was written by a clock that has been set right since. */
const AHEAD_MS_MAX = 60 * 60 * 1000;

type Sight = {
  /** `elsewhere`: another machine or container, whose processes cannot be seen from here. */
  readonly aliveHere: boolean | 'elsewhere';
  readonly seen: ClockReading | null;
  readonly wallMs: number;
};

/** Whom we cannot see is believed to live as long as it says so. Monotonic clocks of two machines do not compare, hence the wall. */
export function isHolderAlive({ aliveHere, seen, wallMs }: Sight): boolean {
  if (aliveHere !== 'elsewhere') return aliveHere;
  if (seen === null) return false;
  const silentMs = wallMs - seen.wallMs;
  return silentMs < SILENT_MS_MAX && silentMs > -AHEAD_MS_MAX;
}
