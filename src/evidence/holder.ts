import type { ClockReading } from '../core/evidence.ts';

/** A worker writes a heartbeat every few seconds; this is far longer, since a machine may be slow or its clock slightly off. */
const SILENT_MS_MAX = 2 * 60 * 1000;
/** A heartbeat further in the future was written by a clock that has been corrected since. */
const AHEAD_MS_MAX = 60 * 60 * 1000;

type Sight = {
  /** `elsewhere`: another machine or container, whose processes cannot be seen from here. */
  readonly aliveHere: boolean | 'elsewhere';
  readonly seen: ClockReading | null;
  readonly wallMs: number;
};

/** A worker we cannot see counts as alive while its heartbeat is recent. Monotonic clocks of two machines cannot be compared, hence wall time. */
export function isHolderAlive({ aliveHere, seen, wallMs }: Sight): boolean {
  if (aliveHere !== 'elsewhere') return aliveHere;
  if (seen === null) return false;
  const silentMs = wallMs - seen.wallMs;
  return silentMs < SILENT_MS_MAX && silentMs > -AHEAD_MS_MAX;
}
