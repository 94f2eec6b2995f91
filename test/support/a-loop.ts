import { initialState } from '../../src/core/advance.ts';
import { NATIVE_CLAIM } from '../../src/core/claim.ts';
import type { CheckAnswer, CheckResult, ClockReading } from '../../src/core/evidence.ts';
import { DEFAULT_CHECK_TIMEOUT_MS, DEFAULT_LIMITS, DEFAULT_TIMING } from '../../src/core/loop.ts';
import type { CheckSpec, Spec, State } from '../../src/core/loop.ts';

/** A loop driven by a worker that only a claim completes; add checks and the rest as a test needs them. */
export function aSpec(overrides: Partial<Spec> = {}): Spec {
  return {
    version: 1,
    goal: 'Make the tests pass.',
    driver: 'outer',
    claim: NATIVE_CLAIM,
    claimRequired: false,
    checks: [],
    checksInOrder: false,
    criteria: [],
    protect: [],
    limits: DEFAULT_LIMITS,
    timing: DEFAULT_TIMING,
    approveFinish: false,
    ...overrides,
  };
}

/** Running, with the first iteration decided and not delivered. */
export function aState(overrides: Partial<State> = {}): State {
  const started = { kind: 'loop-started', loop: 'a-loop', spec: aSpec(), session: null } as const;
  const place = { cwd: '/project', machine: 'a-machine' };
  const born = initialState({ ...started, ...place }, { clock: aClock() }, '2026-01-01T00:00:00.000Z');
  return { ...born, status: 'running', ...overrides };
}

/** The command is the name, as `--check` makes it. */
export function aCheck(name: string, overrides: Partial<CheckSpec> = {}): CheckSpec {
  return {
    name,
    probe: { kind: 'command', command: name },
    timeoutMs: DEFAULT_CHECK_TIMEOUT_MS,
    holdout: false,
    ...overrides,
  };
}

export function aResult(name: string, result: CheckAnswer, overrides: Partial<CheckResult> = {}): CheckResult {
  const exit = result === 'unknown' ? { unknown: 'timed-out' as const } : { exitCode: result === 'passed' ? 0 : 1 };
  return { name, result, durationMs: 100, tail: '', ...exit, ...overrides };
}

/** Both clocks `ms` after the same start. */
export function aClock(ms = 0): ClockReading {
  return { wallMs: Date.UTC(2026, 0, 1) + ms, monotonicMs: ms, boot: 'a-boot' };
}
