import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const WORK_BETWEEN = 500;

/**
 * A driver lives for hours and does little. Without memory pressure, V8 would let it grow to a hundred megabytes before cleaning up. So
 * its young generation is kept small, and the rest is collected after some work. Call the returned function once per piece of work.
 */
export function keepMemoryLean(): () => void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  let done = 0;
  return () => {
    done += 1;
    if (done % WORK_BETWEEN === 0 && typeof collect === 'function') collect();
  };
}
