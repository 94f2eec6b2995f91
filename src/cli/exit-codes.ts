import type { FaultCode } from '../core/fault.ts';
import type { Spec, State } from '../core/loop.ts';

export const EXIT = {
  ok: 0,
  fault: 1,
  usage: 2,
  halted: 3,
  paused: 4,
  cancelled: 5,
  agentFailed: 6,
  unverified: 7,
  bug: 70,
  interrupted: 130,
} as const;

type Ended = { readonly spec: Pick<Spec, 'checks'>; readonly state: Pick<State, 'outcome' | 'approvals'> };

/** The exit code of `run` and `resume`, from the state of the loop. */
export function exitCodeOf({ spec, state }: Ended, options: { readonly requireVerified: boolean }): number {
  const { outcome } = state;
  // It has not ended and nobody drives it: it can be resumed.
  if (outcome === null) return EXIT.paused;
  switch (outcome.kind) {
    case 'completed':
      return options.requireVerified && !isProven({ spec, state }) ? EXIT.unverified : EXIT.ok;
    case 'cancelled':
      return EXIT.cancelled;
    case 'halted':
      return outcome.guard === 'agent-failed' || outcome.guard === 'faults-in-row' ? EXIT.agentFailed : EXIT.halted;
  }
}

/** Proven in the clean room, or by a person if no command was meant to prove anything. */
function isProven({ spec, state: { outcome, approvals } }: Ended): boolean {
  if (outcome?.kind !== 'completed' || !outcome.verified) return false;
  if (outcome.level === 'room') return true;
  return approvals.length > 0 && !spec.checks.some((check) => check.probe.kind === 'command');
}

export function exitCodeOfFault(code: FaultCode): number {
  return code === 'USAGE' ? EXIT.usage : EXIT.fault;
}
