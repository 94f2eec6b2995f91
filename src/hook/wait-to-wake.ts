import type { State } from '../core/loop.ts';
import { isSameSession } from '../core/loop.ts';
import { promptOf } from '../core/prompt.ts';
import { wakeTimeOf } from '../core/working-time.ts';
import type { Control, Loaded } from '../engine/ports.ts';

export type WakeWorld = {
  readonly control: Pick<Control, 'get' | 'post'>;
  /** The wall clock. */
  readonly nowMs: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** The client that would begin the turn. */
  readonly isClientAlive: () => boolean;
};

/** How long a cancelled loop, or a client that is gone, keeps this process at most. */
const LOOK_MS_MAX = 2000;

/**
 * After a turn that failed: waits until it is tried again, and answers the prompt to wake the agent with; `null` = leave it alone. The journal
 * is looked at all the while and moved before anybody is woken: a loop that was cancelled, paused, moved or continued meanwhile wakes nobody,
 * and of two processes that wait for the same turn one does.
 */
export async function waitToWake(failed: Loaded, world: WakeWorld): Promise<string | null> {
  const { control, nowMs, sleep, isClientAlive } = world;
  const { loop } = failed.state;
  const wakeMs = wakeTimeOf(failed);
  if (wakeMs === null) return null;
  for (;;) {
    const now = isClientAlive() ? await control.get(loop) : undefined;
    if (now === undefined || wakeTimeOf(now) !== wakeMs || !isSameWait(now.state, failed.state)) return null;
    const leftMs = wakeMs - nowMs();
    if (leftMs <= 0) break;
    await sleep(Math.min(leftMs, LOOK_MS_MAX));
  }
  const { decision, loaded } = await control.post(loop, { kind: 'wait-ended' }, { unseen: true });
  const isWoken = decision.kind === 'record' || decision.kind === 'continue';
  return isWoken && loaded !== undefined ? promptOf(loaded.spec, loaded.state) : null;
}

function isSameWait(now: State, then: State): boolean {
  return now.faults === then.faults && now.counted === then.counted && isSameSession(now.session, then.session);
}
