import { NATIVE_CLAIM } from '../core/claim.ts';
import type { Spec, Timing } from '../core/loop.ts';
import { DEFAULT_LIMITS, DEFAULT_TIMING } from '../core/loop.ts';
import { NO_ITERATION_TIMEOUT_MS } from '../core/overdue.ts';

/** A spec with the defaults of its driver, overridden by `given`. Without checks, only the agent's claim completes the loop. */
export function newSpec(goal: string, driver: Spec['driver'], given: Partial<Spec> = {}): Spec {
  return {
    claim: NATIVE_CLAIM,
    claimRequired: false,
    checks: [],
    checksInOrder: false,
    criteria: [],
    protect: [],
    limits: DEFAULT_LIMITS,
    timing: defaultTiming(driver),
    approveFinish: false,
    // A document defines what completes its loop; and such a loop begins at its first stop, when the work may already be done.
    ...(given.dialect === undefined ? { greenProvesNothing: true } : {}),
    ...given,
    version: 1,
    goal,
    driver,
  };
}

/** In a session the user can end a turn that takes too long, so there is no iteration timeout. */
export function defaultTiming(driver: Spec['driver']): Timing {
  return driver === 'session' ? { ...DEFAULT_TIMING, iterationTimeoutMs: NO_ITERATION_TIMEOUT_MS } : DEFAULT_TIMING;
}
