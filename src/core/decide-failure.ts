import { continuing, halting, interrupted, spentNow } from './decide-parts.ts';
import type { Decision } from './decision.ts';
import type { Event, Failure } from './event.ts';
import type { ClockReading, Evidence } from './evidence.ts';
import { guardHit } from './guards.ts';
import type { Spec, State } from './loop.ts';

/** The turn the loop was waiting for failed: decides whether and when to try again, and whether that counts as a fault. */
export function decideFailure(
  spec: Spec,
  state: State,
  { failure }: Event & { kind: 'turn-failed' },
  evidence: Evidence,
): Decision {
  const { clock } = evidence;
  if (failure.triesMax !== undefined && state.faultsInRow + 1 >= failure.triesMax)
    return { kind: 'pause', cause: 'failed', question: failure.detail };
  switch (failure.class) {
    case 'fatal':
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
    case 'rate-limit': {
      const delayMs = rateLimitDelayMs(state.rateLimitsInRow ?? 0, clock);
      return isFreeTry(state, failure) ? again(state, clock, delayMs) : interrupted(state, clock, delayMs);
    }
    case 'transient':
    case 'unknown': {
      const { backoffBaseMs, backoffMaxMs } = spec.timing;
      const doubled = backoffBaseMs * 2 ** Math.min(state.faultsInRow, BACKOFF_DOUBLINGS_MAX);
      return interrupted(state, clock, Math.min(backoffMaxMs, doubled));
    }
  }
}

/** A rate limit is not a fault until it lasts. A document that counts tries itself keeps counting. */
export function isFreeTry({ rateLimitsInRow = 0 }: State, failure: Failure): boolean {
  return failure.class === 'rate-limit' && failure.triesMax === undefined && rateLimitsInRow < RATE_LIMIT_TRIES_FREE;
}

/** When the host does not say when its usage limit ends. */
const USAGE_LIMIT_WAIT_MS = 15 * 60 * 1000;
const BACKOFF_DOUBLINGS_MAX = 30;

/** 15 s, 30 s, 1, 2 and 4 minutes: almost 8 minutes before a rate limit counts as a fault. */
const RATE_LIMIT_TRIES_FREE = 5;
const RATE_LIMIT_BASE_MS = 15 * 1000;
const RATE_LIMIT_MAX_MS = 5 * 60 * 1000;

/**
 * Loops that were refused together must not retry together. The jitter comes from the clock of the failure, which is in the journal, so that
 * `replay` computes the same delay: 3/4 to 5/4 of the full one.
 */
function rateLimitDelayMs(before: number, { wallMs }: ClockReading): number {
  const full = Math.min(RATE_LIMIT_MAX_MS, RATE_LIMIT_BASE_MS * 2 ** Math.min(before, BACKOFF_DOUBLINGS_MAX));
  return Math.round(full * (0.75 + (Math.abs(wallMs) % 1000) / 2000));
}

/** Runs the same iteration again, without a fault, if the limits allow. */
function again(state: State, until: ClockReading, delayMs: number): Decision {
  const spent = spentNow(state, until);
  const hit = guardHit(state.limits, spent);
  const { unmet } = state.plan;
  return hit === null ? continuing(state, { unmet, delayMs, rerun: true, spent }) : halting(hit, unmet);
}
