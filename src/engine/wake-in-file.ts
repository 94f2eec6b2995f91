import type { Decision } from '../core/decision.ts';
import type { LiveFile } from './live-file.ts';
import { whyUnreadable } from './live-file.ts';
import { endWithFile } from './obey-file.ts';
import type { Pipeline } from './pipeline.ts';
import type { Loaded } from './ports.ts';
import { plannedDecision } from './resumed-elsewhere.ts';
import type { WakeWorld } from './wait-to-wake.ts';
import { waitToWake } from './wait-to-wake.ts';

/** The state file of a loop, and the words of its document. */
export type WakeFile = {
  readonly live: LiveFile;
  readonly run: <R>(pipeline: Pipeline<R>) => Promise<R>;
  readonly textFor: (decision: Decision, woken: Loaded) => string;
};

/** Waits like `waitToWake`. A file that is gone, switched off, replaced or cannot be read wakes nobody. */
export async function waitToWakeInFile(
  failed: Loaded,
  { live, run, textFor }: WakeFile,
  world: WakeWorld,
): Promise<string | null> {
  const { control } = world;
  const get: typeof control.get = async (id) => {
    const loaded = await control.get(id);
    if (loaded === undefined || (await run(whyUnreadable(live))) !== null) return undefined;
    return run(endWithFile(loaded, live));
  };
  return waitToWake(failed, {
    ...world,
    control: { ...control, get },
    // The iteration runs again.
    textFor: (woken) => textFor({ ...plannedDecision(woken.state), rerun: true }, woken),
  });
}
