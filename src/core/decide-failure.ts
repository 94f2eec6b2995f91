import { continuing, halting, interrupted, spentNow } from './decide-parts.ts';
import type { Decision } from './decision.ts';
import type { Event, FailedTurn, Failure } from './event.ts';
import type { ClockReading, Evidence } from './evidence.ts';
import { guardHit } from './guards.ts';
import type { Spec, State } from './loop.ts';
import { countedUntil } from './running-time.ts';

/** The awaited turn failed: decides whether and when to retry, and whether the failure counts as a fault. */
export function decideFailure(
  spec: Spec,
  state: State,
  event: Event & { kind: 'turn-failed' },
  evidence: Evidence,
): Decision {
  const { failure } = event;
  const { clock } = evidence;
  const until = countedUntil(spec, state, event, evidence);
  if (failure.triesMax !== undefined && state.faultsInRow + 1 >= failure.triesMax)
    return { kind: 'pause', cause: 'failed', question: failure.detail };
  switch (failure.class) {
    case 'fatal':
      // The user has seen the failure and writes again, which is the retry.
      if (event.late === true) return interrupted(state, until, 0);
      return {
        kind: 'halt',
        guard: 'agent-failed',
        limit: null,
        actual: null,
        detail: failure.detail,
        unmet: state.plan.unmet,
      };
    case 'usage-limit':
      return { kind: 'pause', cause: 'usage-limit', resumeAt: failure.resumeAt ?? clock.wallMs + USAGE_LIMIT_WAIT_MS };
    case 'context-full':
      // A retry in the same conversation would fail again; an outer driver starts a fresh one in each iteration.
      return { kind: 'pause', cause: 'handed-over', request: 'context-full', unmet: state.plan.unmet };
    case 'rate-limit':
      return retryLater(state, failure, { clock, until }, RATE_LIMIT_WAITS);
    case 'transient':
    case 'unknown': {
      if (isWaitedOut(failure, evidence)) return retryLater(state, failure, { clock, until }, outageWaits(spec.timing));
      const { backoffBaseMs, backoffMaxMs } = spec.timing;
      const doubled = backoffBaseMs * 2 ** Math.min(state.faultsInRow, BACKOFF_DOUBLINGS_MAX);
      return interrupted(state, until, Math.min(backoffMaxMs, doubled));
    }
  }
}

/** How a failed turn counts: as a fault, as an outage that lasted too long, or not yet. */
export function countingOf(state: State, failure: Failure, evidence: Evidence): 'fault' | 'lasting' | 'free' {
  if (!isWaitedOut(failure, evidence)) return 'fault';
  return isFreeTry(state, failure) ? 'free' : 'lasting';
}

/** For the evidence of a failed turn. Dialects have their own rules for errors. */
export function waitEvidence({ dialect, delivery }: Spec, failure: Failure): Pick<Evidence, 'waitsOut'> {
  const isOurs = dialect === undefined && delivery === undefined && failure.triesMax === undefined;
  return isOurs && failure.class === 'transient' ? { waitsOut: true } : {};
}

/** Rate limits and outages of the service. A document that counts its own retries keeps counting. */
function isWaitedOut(failure: Failure, { waitsOut }: Evidence): boolean {
  return failure.class === 'rate-limit' || (failure.class === 'transient' && waitsOut === true);
}

/** An outage costs no fault until it has lasted for a while. */
function isFreeTry({ waitedOutInRow = 0 }: State, failure: Failure): boolean {
  return failure.triesMax === undefined && failure.counts !== true && waitedOutInRow < TRIES_FREE;
}

type Times = { readonly clock: ClockReading; readonly until: ClockReading };

function retryLater(state: State, failure: Failure, { clock, until }: Times, waits: Waits): Decision {
  const delayMs = delayAfter(state.waitedOutInRow ?? 0, clock, waits);
  return isFreeTry(state, failure) ? again(state, until, delayMs) : interrupted(state, until, delayMs);
}

/**
 * Did the turn that the loop waits for fail without being recorded? Only a failure after the last entry qualifies: an older one has been
 * recorded. `changedMs`: when the last entry was written.
 */
export function isUnrecorded({ status, phase }: State, { atMs }: FailedTurn, changedMs: number): boolean {
  return status === 'running' && phase === 'working' && atMs > changedMs;
}

/** Used if the host does not report when its usage limit ends. */
const USAGE_LIMIT_WAIT_MS = 15 * 60 * 1000;
const BACKOFF_DOUBLINGS_MAX = 30;

/** Together with the two faults allowed afterwards, the loop survives an outage of about 18 minutes, at least 13. */
const TRIES_FREE = 5;

type Waits = { readonly baseMs: number; readonly factor: number; readonly maxMs: number };

/** 15 s, 30 s, 1, 2 and 4 minutes, then always 5. */
const RATE_LIMIT_WAITS: Waits = { baseMs: 15 * 1000, factor: 2, maxMs: 5 * 60 * 1000 };

/** 5 s, 15 s, 45 s, a little over 2 minutes, then always 5: most failures pass at once, and an outage takes minutes. */
function outageWaits({ backoffBaseMs, backoffMaxMs }: Spec['timing']): Waits {
  return { baseMs: 5 * backoffBaseMs, factor: 3, maxMs: 5 * backoffMaxMs };
}

/**
 * Loops that were refused together must not retry together. The jitter comes from the clock of the failure, which is in the journal, so that
 * `replay` computes the same delay: 3/4 to 5/4 of the full one.
 */
function delayAfter(before: number, { wallMs }: ClockReading, { baseMs, factor, maxMs }: Waits): number {
  const full = Math.min(maxMs, baseMs * factor ** Math.min(before, BACKOFF_DOUBLINGS_MAX));
  return Math.round(full * (0.75 + (Math.abs(wallMs) % 1000) / 2000));
}

/** Runs the same iteration again, without a fault, if the limits allow. */
function again(state: State, until: ClockReading, delayMs: number): Decision {
  const spent = spentNow(state, until);
  const hit = guardHit(state.limits, spent);
  const { unmet } = state.plan;
  return hit === null ? continuing(state, { unmet, delayMs, rerun: true, spent }) : halting(hit, unmet);
}
