import type { State } from '../core/loop.ts';
import { troubleText } from '../core/trouble.ts';
import { oneLine } from './printable.ts';

/**
 * Why nobody is at work on a loop that is open in a session. `ended`: the session did. `dead`: the program of the session is gone, and no hook
 * reported its end. `failed`: its last turn did. `interrupted`: the user
 * broke it off. `waiting`: for a message.
 */
export type Standstill = {
  readonly cause: 'ended' | 'dead' | 'failed' | 'interrupted' | 'waiting';
  readonly reason: string;
  /** When the failed turn is tried again, where the host can be woken. */
  readonly retryAt: string | null;
};

const REASON_CHARS_MAX = 300;

/** `isInterrupted`: as its transcript tells. `isDead`: as its process tells. `null` = the agent is at work, as far as anybody knows, or the loop is not running in a session. */
export function standstillOf(
  { status, session, sessionLeft, resting, lastTrouble }: State,
  { isInterrupted = false, isDead = false }: { readonly isInterrupted?: boolean; readonly isDead?: boolean } = {},
): Standstill | null {
  if (status !== 'running' || session === null) return null;
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
export function standstillAction(loop: string, { cause }: Standstill): readonly string[] {
  const outside = `continue outside of it:   tireless resume ${loop} --agent NAME`;
  return cause === 'ended' || cause === 'dead'
    ? [
        'continue in its session:  resume that session in its host',
        `continue in another one:  /ralph --resume ${loop}`,
        outside,
      ]
    : ['continue in its session:  write to the agent there', outside];
}
