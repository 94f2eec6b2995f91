import { readFileSync } from 'node:fs';
import { ignoringErrno } from './errno.ts';
import { parseStat } from './process-table-linux.ts';

export type BeganProbe = {
  readonly readText: (path: string) => string | undefined;
  /** The clock of `systemClock`, with fractions. */
  readonly monotonicMs: () => number;
  /** How long Node has been running. */
  readonly nodeMs: () => number;
};

/** Linux counts 100 ticks per second wherever Node runs. */
const TICK_MS = 10;
/** No shell runs this long before its `exec`; a system that reports no start time shows 0. */
const BEFORE_NODE_MS_MAX = 60_000;

let cached: number | undefined;

/**
 * When this process began, on the monotonic clock; determined once per process. The shell of a guard becomes Node by `exec`, so this is the
 * start of the shell: on a busy machine Node starts much later. Rounded up, never down: a process that began after a moment never seems to
 * have begun before it. On systems other than Linux it is the start of Node.
 */
export function beganMs(): number {
  cached ??= beganOf({
    readText: (file) => ignoringErrno(() => readFileSync(file, 'latin1')),
    monotonicMs: () => Number(process.hrtime.bigint()) / 1e6,
    // Not `performance`: Node would load a module for it, which takes longer than the rest of a stop.
    nodeMs: () => process.uptime() * 1000,
  });
  return cached;
}

export function beganOf({ readText, monotonicMs, nodeMs }: BeganProbe): number {
  const nodeRan = nodeMs();
  const began = monotonicMs() - nodeRan;
  const started = Number(parseStat(readText('/proc/self/stat') ?? '')?.startTime) * TICK_MS;
  // The start time of a process includes time in which the machine was suspended, like the uptime and unlike the monotonic clock.
  const uptime = Number.parseFloat(readText('/proc/uptime') ?? '') * 1000;
  const shell = monotonicMs() - (uptime - started) + TICK_MS;
  return Math.ceil(shell < began && shell > began - BEFORE_NODE_MS_MAX ? shell : began);
}
