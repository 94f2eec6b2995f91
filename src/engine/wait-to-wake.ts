import type { State } from '../core/loop.ts';
import { isSameSession } from '../core/loop.ts';
import { promptOf } from '../core/prompt.ts';
import { wakeTimeOf } from '../core/working-time.ts';
import type { Control, Loaded } from './ports.ts';

export type WakeWorld = {
  readonly control: Pick<Control, 'get' | 'post'>;
  /** The wall clock. */
  readonly nowMs: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** The client that would begin the turn. */
  readonly isClientAlive: () => boolean;
  /** The size of the transcript of the session; `null` = unknown. */
  readonly transcriptBytes: () => number | null;
  /** The text for the agent; absent = the prompt of its iteration. */
  readonly textFor?: (woken: Loaded) => string;
};

/**
 * Measured: Claude Code itself continues up to two minutes after its usage limit ends. It takes priority, because both together would begin two
 * turns.
 */
const HOST_FIRST_MS = 3 * 60 * 1000;

/** How long this process stays at most after its loop was cancelled or its client exited. */
const LOOK_MS_MAX = 2000;

/**
 * After a failed turn: waits for the time of its retry, and returns the prompt that wakes the agent; `null` = leave it alone. The journal
 * is watched throughout, and the wait is committed before anybody is woken: a loop that was cancelled, paused, moved or continued in the
 * meantime wakes nobody, and of two processes that wait for the same turn only one does.
 */
export async function waitToWake(failed: Loaded, world: WakeWorld): Promise<string | null> {
  const { control, nowMs, sleep, isClientAlive, transcriptBytes, textFor = defaultText } = world;
  const { loop } = failed.state;
  const wakeMs = wakeTimeOf(failed);
  if (wakeMs === null) return null;
  const waitUntil = async (untilMs: number): Promise<boolean> => {
    for (;;) {
      const now = isClientAlive() ? await control.get(loop) : undefined;
      if (now === undefined || wakeTimeOf(now) !== wakeMs || !isSameWait(now.state, failed.state)) return false;
      const leftMs = untilMs - nowMs();
      if (leftMs <= 0) return true;
      await sleep(Math.min(leftMs, LOOK_MS_MAX));
    }
  };
  if (!(await waitUntil(wakeMs))) return null;
  if (failed.state.status === 'paused') {
    const bytes = transcriptBytes();
    if (!(await waitUntil(wakeMs + HOST_FIRST_MS))) return null;
    if (transcriptBytes() !== bytes) {
      // The agent is at work, but no hook has reported it.
      await control.post(loop, { kind: 'wait-ended', because: 'agent-works' }, { unseen: true });
      return null;
    }
  }
  const { decision, loaded } = await control.post(loop, { kind: 'wait-ended' }, { unseen: true });
  const isWoken = decision.kind === 'record' || decision.kind === 'continue';
  return isWoken && loaded !== undefined ? textFor(loaded) : null;
}

function defaultText({ spec, state }: Loaded): string {
  return promptOf(spec, state);
}

function isSameWait(now: State, then: State): boolean {
  return now.faults === then.faults && now.counted === then.counted && isSameSession(now.session, then.session);
}
