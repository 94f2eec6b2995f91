import { Fault } from '../core/fault.ts';
import type { Loaded } from './ports.ts';
import type { UnrunnableCheck } from './unrunnable-check.ts';
import { unrunnableFault } from './unrunnable-check.ts';

type Driven = {
  readonly loaded: Loaded;
  readonly ended: string;
  readonly notRunnable: UnrunnableCheck | null;
};

/**
 * Throws if a check cannot be run at all, or if another process is responsible for the end of the loop. `guessChecks`: the commands that
 * seem to test a project.
 */
export async function requireOwnEnd<T extends Driven>(
  driven: T,
  guessChecks: (cwd: string) => Promise<readonly string[]>,
): Promise<T> {
  const { loop, cwd } = driven.loaded.state;
  if (driven.notRunnable !== null) throw unrunnableFault(loop, driven.notRunnable, await guessChecks(cwd));
  if (driven.ended === 'lease-lost')
    throw new Fault(
      'LOOP_BUSY',
      `Another process has taken over loop ${loop}. Watch it with "tireless status ${loop}".`,
    );
  return driven;
}
