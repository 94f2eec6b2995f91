import type { State } from '../core/loop.ts';
import { troubleText } from '../core/trouble.ts';
import { oneLine } from './printable.ts';

/**
 * Why nobody is at work on an open loop. `ended`: its session did. `dead`: the program of its session is gone, and no hook reported its end.
 * `failed`: its last turn did. `interrupted`: the user broke it off. `waiting`: for a message. Outside a session only `failed`: its driver waits.
 */
export type Standstill = {
  readonly cause: 'ended' | 'dead' | 'failed' | 'interrupted' | 'waiting';
  readonly reason: string;
  /** When the failed turn is tried again: in a session where the host can be woken, outside by the driver. */
  readonly retryAt: string | null;
};

const REASON_CHARS_MAX = 300;

/** `isInterrupted`: according to its transcript. `isDead`: according to its process. `null` = the agent is at work, as far as is known, or the loop does not run. */
export function standstillOf(
  { status, session, sessionLeft, resting, lastTrouble }: State,
  { isInterrupted = false, isDead = false }: { readonly isInterrupted?: boolean; readonly isDead?: boolean } = {},
): Standstill | null {
  if (status !== 'running') return null;
  if (session === null && typeof resting?.retryAt !== 'number') return null;
  if (sessionLeft === true) return { cause: 'ended', reason: 'its session has ended', retryAt: null };
  if (isDead)
    return { cause: 'dead', reason: 'the program of its session is gone (killed, or crashed)', retryAt: null };
  if (resting === undefined)
    return isInterrupted ? { cause: 'interrupted', reason: 'you interrupted the agent', retryAt: null } : null;
  if (resting.retryAt === null || lastTrouble === null)
    return { cause: 'waiting', reason: 'nobody is at work: it waits for a message in its session', retryAt: null };
  return {
    cause: 'failed',
    reason: `the last turn failed: ${oneLine(troubleText(lastTrouble), REASON_CHARS_MAX)}`,
    retryAt: new Date(resting.retryAt).toISOString(),
  };
}

/** What continues it: for the lines below its status. */
export function standstillAction({ loop, session }: State, { cause }: Standstill): readonly string[] {
  if (session === null) return [];
  const outside = `continue outside of it:   tireless resume ${loop} --agent NAME`;
  return cause === 'ended' || cause === 'dead'
    ? [
        'continue in its session:  resume that session in its host',
        `continue in another one:  /ralph --resume ${loop}`,
        outside,
      ]
    : ['continue in its session:  write to the agent there', outside];
}
