import { continuing, halting, interrupted, spentNow } from './decide-parts.ts';
import type { Decision } from './decision.ts';
import type { Event, FailedTurn, Failure } from './event.ts';
import type { ClockReading, Evidence } from './evidence.ts';
import { guardHit } from './guards.ts';
import type { Spec, State } from './loop.ts';
import { countedUntil } from './running-time.ts';

/** The turn the loop was waiting for failed: decides whether and when to try again, and whether that counts as a fault. */
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
      // The user has seen it meanwhile, and writes: that is the next try.
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
      // Trying again in the same conversation would fail again; with an outer driver each iteration has a fresh one.
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

/** How a failed turn counts: as a fault, as one of those that lasted too long to be waited out, or not yet. */
export function countingOf(state: State, failure: Failure, evidence: Evidence): 'fault' | 'lasting' | 'free' {
  if (!isWaitedOut(failure, evidence)) return 'fault';
  return isFreeTry(state, failure) ? 'free' : 'lasting';
}

/** For the evidence of a failed turn. Documents have their own rules for errors. */
export function waitingOut({ dialect, delivery }: Spec, failure: Failure): Pick<Evidence, 'waitsOut'> {
  const isOurs = dialect === undefined && delivery === undefined && failure.triesMax === undefined;
  return isOurs && failure.class === 'transient' ? { waitsOut: true } : {};
}

/** Too many requests, and trouble of the service. A document that counts tries itself keeps counting. */
function isWaitedOut(failure: Failure, { waitsOut }: Evidence): boolean {
  return failure.class === 'rate-limit' || (failure.class === 'transient' && waitsOut === true);
}

/** What is waited out is nobody's fault until it lasts. */
function isFreeTry({ waitedOutInRow = 0 }: State, failure: Failure): boolean {
  return failure.triesMax === undefined && failure.counts !== true && waitedOutInRow < TRIES_FREE;
}

type Times = { readonly clock: ClockReading; readonly until: ClockReading };

function retryLater(state: State, failure: Failure, { clock, until }: Times, waits: Waits): Decision {
  const delayMs = delayAfter(state.waitedOutInRow ?? 0, clock, waits);
  return isFreeTry(state, failure) ? again(state, until, delayMs) : interrupted(state, until, delayMs);
}

/**
 * Is this failed turn the one that the loop waits for, and not recorded yet? After its last entry nothing else can have failed, and what was
 * recorded is older than its entry. `changedMs`: when that was written.
 */
export function isUnrecorded({ status, phase }: State, { atMs }: FailedTurn, changedMs: number): boolean {
  return status === 'running' && phase === 'working' && atMs > changedMs;
}

/** When the host does not say when its usage limit ends. */
const USAGE_LIMIT_WAIT_MS = 15 * 60 * 1000;
const BACKOFF_DOUBLINGS_MAX = 30;

/** With the two faults that are allowed after them, an outage of about 18 minutes is survived, at least 13. */
const TRIES_FREE = 5;

type Waits = { readonly baseMs: number; readonly factor: number; readonly maxMs: number };

/** 15 s, 30 s, 1, 2 and 4 minutes, then 5. */
const RATE_LIMIT_WAITS: Waits = { baseMs: 15 * 1000, factor: 2, maxMs: 5 * 60 * 1000 };

/** 5 s, 15 s, 45 s, a little more than 2 minutes, then 5: most trouble passes at once, and an outage takes minutes. */
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
