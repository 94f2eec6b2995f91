import type { SessionSigns, IdleCause } from '../core/session-activity.ts';
import type { State } from '../core/loop.ts';
import type { Trouble } from '../core/trouble.ts';
import { troubleText } from '../core/trouble.ts';
import type { Action } from './actions.ts';
import { oneLine } from './printable.ts';

/**
 * Why nobody is at work on an open loop. `ended`: its session did. `dead`: the program of its session is gone, and no hook reported its end.
 * `failed`: its last turn did. `interrupted`: the user broke it off. `unjudged`: its last stop was not judged, or its first checks were not run. `waiting`: for a message. Outside a session only `failed`: its driver waits.
 */
export type Standstill = {
  readonly cause: 'ended' | 'dead' | 'failed' | 'interrupted' | 'unjudged' | 'waiting';
  readonly reason: string;
  /** When the failed turn is tried again: in a session where the host can be woken, outside by the driver. */
  readonly retryAt: string | null;
};

/** The word of a list for a loop that is open, and that nobody is at work on. */
export const STALLED = 'stalled';

const REASON_CHARS_MAX = 300;

/** A retry that is later than that does not come. */
const LATE_MS_MAX = 10_000;

const BY_IDLE_CAUSE: Readonly<Record<IdleCause, Standstill>> = {
  interrupted: { cause: 'interrupted', reason: 'you interrupted the agent', retryAt: null },
  failed: { cause: 'failed', reason: 'the last turn failed; its session shows why', retryAt: null },
  unjudged: {
    cause: 'unjudged',
    reason: 'its last stop was not judged: the hook was ended before the checks had finished',
    retryAt: null,
  },
};

const NOT_BEGUN: Standstill = {
  cause: 'unjudged',
  reason: 'the hook that was to begin it was ended before the checks had finished',
  retryAt: null,
};

/** What its process and its transcript show of the session. */
export type SeenOfSession = Partial<Pick<SessionSigns, 'isAlive' | 'idleCause' | 'nowMs'>>;

/** `null` = the agent is at work, as far as is known, or the loop is not open. */
export function standstillOf(
  state: State,
  { isAlive = null, idleCause = null, nowMs }: SeenOfSession = {},
): Standstill | null {
  const { status, session, sessionLeft, resting, lastTrouble } = state;
  if (status !== 'running' && status !== 'pending') return null;
  if (session === null && typeof resting?.retryAt !== 'number') return null;
  const isEnded = sessionLeft === true;
  if (isEnded || isAlive === false) {
    const end = isEnded ? 'its session has ended' : 'the host process of its session is gone (killed or crashed)';
    return { cause: isEnded ? 'ended' : 'dead', reason: `${end}${failureBefore(state)}`, retryAt: null };
  }
  if (status === 'pending') return idleCause === 'unjudged' ? NOT_BEGUN : null;
  if (resting === undefined) return idleCause === null ? null : BY_IDLE_CAUSE[idleCause];
  const { retryAt } = resting;
  if (retryAt === null || lastTrouble === null)
    return { cause: 'waiting', reason: 'no agent is working: it waits for a message in its session', retryAt: null };
  // Whoever was to try again is gone, or the host cannot be woken.
  const isOver = session !== null && nowMs !== undefined && nowMs >= retryAt + LATE_MS_MAX;
  return {
    cause: 'failed',
    reason: failureText(lastTrouble),
    retryAt: isOver ? null : new Date(retryAt).toISOString(),
  };
}

/** Whoever resumes the loop reads why it stopped. */
function failureBefore({ plan, lastTrouble }: State): string {
  return plan.rerun && lastTrouble?.code === 'turn-failed' ? `; ${failureText(lastTrouble)}` : '';
}

function failureText(trouble: Trouble): string {
  return `the last turn failed: ${oneLine(troubleText(trouble), REASON_CHARS_MAX)}`;
}

/** What continues it: for the lines below its status. */
export function standstillActions({ loop, session }: State, { cause }: Standstill): readonly Action[] {
  if (session === null) return [];
  const here = 'continue in its session';
  const outside = { label: 'continue outside it', command: `tireless resume ${loop} --agent NAME` };
  return cause === 'ended' || cause === 'dead'
    ? [
        { label: here, advice: 'resume that session in its host' },
        { label: 'continue in another one', command: `/ralph --resume ${loop}` },
        outside,
      ]
    : [{ label: here, advice: 'write to the agent there' }, outside];
}
