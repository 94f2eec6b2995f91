import type { CheckAnswer, Usage } from '../core/evidence.ts';
import type { Guard, Limits, Outcome, PauseCause, Spec, State, Status } from '../core/loop.ts';
import { iterationOf } from '../core/loop.ts';
import { outcomeSentence, pauseReason } from './sentences.ts';

/** One loop as scripts see it: the shape of `--json`. Additive from here on; keys are not renamed once released. */
export type LoopView = {
  readonly id: string;
  readonly goal: string;
  readonly status: Status;
  readonly iteration: number;
  /** `null` while the loop is open. */
  readonly outcome: OutcomeView | null;
  readonly limits: Limits;
  readonly usage: Usage & { readonly runningMs: number; readonly faults: number };
  /** Every check of the spec; one that was not asked yet is `unknown`. */
  readonly checks: readonly { readonly name: string; readonly result: CheckAnswer }[];
  readonly host: string | null;
  readonly session: string | null;
  readonly cwd: string;
  readonly startedAt: string;
  readonly updatedAt: string;
  readonly endedAt: string | null;
  readonly pause?: PauseView;
  /** Who holds the lease; whether that process is alive is not in the journal. */
  readonly driver?: { readonly pid: number; readonly machine: string; readonly alive?: boolean | null };
};

type OutcomeView = {
  readonly kind: Outcome['kind'];
  readonly verified: boolean;
  readonly guard: Guard | null;
  readonly reason: string;
};

type PauseView = {
  readonly cause: PauseCause;
  readonly reason: string;
  readonly question: string | null;
  readonly resumeAt: string | null;
};

export function viewOf({ spec, state }: { readonly spec: Spec; readonly state: State }): LoopView {
  const results = new Map(state.checks.map((check) => [check.name, check.result]));
  return {
    id: state.loop,
    goal: spec.goal,
    status: state.status,
    iteration: iterationOf(state),
    outcome: outcomeView(state),
    limits: state.limits,
    usage: { ...state.usage, runningMs: state.runningMs, faults: state.faults },
    checks: spec.checks.map(({ name }) => ({ name, result: results.get(name) ?? 'unknown' })),
    host: state.session?.host ?? agentName(spec),
    session: state.session?.id ?? null,
    cwd: state.cwd,
    startedAt: state.startedAt,
    updatedAt: state.updatedAt,
    endedAt: state.endedAt,
    ...(state.pause === null ? {} : { pause: pauseView(state.pause) }),
    ...(state.worker === null ? {} : { driver: { pid: state.worker.pid, machine: state.worker.machine } }),
  };
}

/** An outer loop has no session; the agent it starts stands where the host would. */
function agentName(spec: Spec): string | null {
  if (spec.agent === undefined) return null;
  return spec.agent.kind === 'named' ? spec.agent.name : 'command';
}

function outcomeView(state: State): OutcomeView | null {
  const { outcome } = state;
  if (outcome === null) return null;
  return {
    kind: outcome.kind,
    verified: outcome.kind === 'completed' && outcome.verified,
    guard: outcome.kind === 'halted' ? outcome.guard : null,
    reason: outcomeSentence(state),
  };
}

function pauseView(pause: NonNullable<State['pause']>): PauseView {
  return {
    cause: pause.cause,
    reason: pauseReason(pause),
    question: pause.question ?? null,
    resumeAt: pause.resumeAt === undefined ? null : new Date(pause.resumeAt).toISOString(),
  };
}
