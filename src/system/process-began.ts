import { readFileSync } from 'node:fs';
import { ignoringErrno } from './errno.ts';
import { parseStat } from './process-table-linux.ts';

export type BeganProbe = {
  readonly readText: (path: string) => string | undefined;
  /** The clock of `systemClock`, with its fractions. */
  readonly monotonicMs: () => number;
  /** How long Node has run. */
  readonly nodeMs: () => number;
};

/** Linux counts 100 of them in a second, wherever Node runs. */
const TICK_MS = 10;
/** No shell lives longer before its `exec`; a system that tells no start says 0. */
const BEFORE_NODE_MS_MAX = 60_000;

let cached: number | undefined;

/**
 * When this process began, on the monotonic clock; asked once per process. The shell of a guard becomes Node by `exec`, so it is the start
 * of the shell: on a busy machine Node comes much later. Rounded up, never down: who began after a moment is never said to have begun before
 * it. Elsewhere than on Linux it is the start of Node.
 */
export function beganMs(): number {
  cached ??= beganOf({
    readText: (file) => ignoringErrno(() => readFileSync(file, 'latin1')),
    monotonicMs: () => Number(process.hrtime.bigint()) / 1e6,
    // Not `performance`: Node would load a module for it, which takes longer than all the rest of a stop.
    nodeMs: () => process.uptime() * 1000,
  });
  return cached;
}

export function beganOf({ readText, monotonicMs, nodeMs }: BeganProbe): number {
  const nodeRan = nodeMs();
  const began = monotonicMs() - nodeRan;
  const started = Number(parseStat(readText('/proc/self/stat') ?? '')?.startTime) * TICK_MS;
  // The start of a process counts the time of a suspended machine too, as the uptime does and the monotonic clock does not.
  const uptime = Number.parseFloat(readText('/proc/uptime') ?? '') * 1000;
  const shell = monotonicMs() - (uptime - started) + TICK_MS;
  return Math.ceil(shell < began && shell > began - BEFORE_NODE_MS_MAX ? shell : began);
}
