import type { SessionSigns, IdleCause } from '../core/session-activity.ts';
import type { State } from '../core/loop.ts';
import type { Trouble } from '../core/trouble.ts';
import { troubleText } from '../core/trouble.ts';
import type { Action } from './actions.ts';
import { oneLine } from './printable.ts';

/**
 * Why nobody is at work on an open loop. `ended`: its session ended. `dead`: the program of its session, or its driver, is gone, and nothing
 * reported its end. `failed`: its last turn failed. `interrupted`: the user broke it off. `unjudged`: its last stop was not judged, or its
 * first checks were not run. `waiting`: it waits for a message. Outside a session only `dead`, and `failed` while its driver waits.
 */
export type Standstill = {
  readonly cause: 'ended' | 'dead' | 'failed' | 'interrupted' | 'unjudged' | 'waiting';
  readonly reason: string;
  /** When the failed turn is retried: in a session by waking the host, outside it by the driver. */
  readonly retryAt: string | null;
};

/** Shown in lists for an open loop that nobody is at work on. */
export const STALLED = 'stalled';

const REASON_CHARS_MAX = 300;

/** A retry that is later than this will not happen. */
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
  reason: 'the hook that should have begun it was ended before the checks had finished',
  retryAt: null,
};

const ASKS: Standstill = {
  cause: 'waiting',
  reason: 'the agent asks you for a permission in its session',
  retryAt: null,
};

/** Its host asked the user, and no work of the agent shows that they have answered. */
function isAsking({ awaitsAnswer, runningSince }: State, workedMs: number | null): boolean {
  return awaitsAnswer === true && runningSince !== null && (workedMs ?? 0) <= runningSince.wallMs;
}

const DRIVER_LOST: Standstill = {
  cause: 'dead',
  reason: 'the process that drove it is gone (killed or crashed)',
  retryAt: null,
};

/**
 * What the process and the transcript of the session show. `reopen`: the command that opens it again. `isDriverAlive`: outside a session, the
 * process that holds the lease.
 */
export type SeenOfSession = Partial<
  Pick<SessionSigns, 'isAlive' | 'idleCause' | 'nowMs' | 'workedMs' | 'writtenMs'>
> & {
  readonly reopen?: string;
  readonly isDriverAlive?: boolean | null;
};

/** `null` = the agent is at work, as far as is known, or the loop is not open. */
export function standstillOf(
  state: State,
  { isAlive = null, idleCause = null, workedMs = null, nowMs, isDriverAlive = null }: SeenOfSession = {},
): Standstill | null {
  const { status, session, sessionLeft, resting, lastTrouble } = state;
  if (status !== 'running' && status !== 'pending') return null;
  if (session === null && isDriverAlive === false) return DRIVER_LOST;
  if (session === null && typeof resting?.retryAt !== 'number') return null;
  const isEnded = sessionLeft === true;
  if (isEnded || isAlive === false) {
    const end = isEnded ? 'its session has ended' : 'the host process of its session is gone (killed or crashed)';
    return { cause: isEnded ? 'ended' : 'dead', reason: `${end}${failureBefore(state)}`, retryAt: null };
  }
  if (status === 'pending') return idleCause === 'unjudged' ? NOT_BEGUN : null;
  // A turn that is retried has failed before, which the transcript still shows.
  if (idleCause !== null && typeof resting?.retryAt !== 'number') return BY_IDLE_CAUSE[idleCause];
  if (resting === undefined) return isAsking(state, workedMs) ? ASKS : null;
  const { retryAt } = resting;
  if (retryAt === null || lastTrouble === null)
    return { cause: 'waiting', reason: 'the agent is idle; write to it in its session', retryAt: null };
  // Whoever should have retried is gone, or the host cannot be woken.
  const isOver = session !== null && nowMs !== undefined && nowMs >= retryAt + LATE_MS_MAX;
  return {
    cause: 'failed',
    reason: failureText(lastTrouble),
    retryAt: isOver ? null : new Date(retryAt).toISOString(),
  };
}

/** Shows why it stopped to whoever resumes the loop. */
function failureBefore({ plan, lastTrouble }: State): string {
  return plan.rerun && lastTrouble?.code === 'turn-failed' ? `; ${failureText(lastTrouble)}` : '';
}

function failureText(trouble: Trouble): string {
  return `the last turn failed: ${oneLine(troubleText(trouble), REASON_CHARS_MAX)}`;
}

/** How to continue it, for the lines below its status. */
export function standstillActions({ loop, session }: State, { cause }: Standstill, reopen?: string): readonly Action[] {
  if (session === null) return [];
  const here = 'continue in its session';
  const agent = oneLine(session.host, REASON_CHARS_MAX);
  const outside = { label: 'continue outside it', command: `tireless resume ${loop} --agent ${agent}` };
  return cause === 'ended' || cause === 'dead'
    ? [
        { label: here, advice: reopen === undefined ? `reopen it in ${agent}` : `reopen it: ${reopen}` },
        { label: 'continue in another one', command: `/ralph --resume ${loop}` },
        outside,
      ]
    : [{ label: here, advice: 'write to the agent there' }, outside];
}
