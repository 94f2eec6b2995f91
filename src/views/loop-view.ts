import type { CheckAnswer, Usage } from '../core/evidence.ts';
import type { Guard, Level, Limit, Limits, Outcome, PauseCause, Spec, State, Status } from '../core/loop.ts';
import { iterationOf } from '../core/loop.ts';
import { iterationCountOf } from './iteration-count.ts';
import { whyNoRoom } from './room-words.ts';
import type { SeenOfSession, Standstill } from './standstill.ts';
import { standstillOf } from './standstill.ts';
import { levelOf, outcomeSentence, pauseReason } from './sentences.ts';

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
  /** Every check of the spec; one that has not run yet is `unknown`. */
  readonly checks: readonly { readonly name: string; readonly result: CheckAnswer }[];
  readonly host: string | null;
  readonly session: string | null;
  readonly cwd: string;
  readonly startedAt: string;
  readonly updatedAt: string;
  readonly endedAt: string | null;
  /** For a loop in the state file of another tool: the counts in that file. */
  readonly file?: FileView;
  readonly pause?: PauseView;
  /** Only while the loop is running and nobody is at work: the reason. */
  readonly standstill?: Standstill;
  /** The holder of the lease; whether that process is alive is not in the journal. */
  readonly driver?: { readonly pid: number; readonly machine: string; readonly alive?: boolean | null };
};

type FileView = {
  readonly dialect: string;
  /** Relative to the project. */
  readonly path: string;
  readonly iteration: number;
  readonly iterationsMax: Limit;
};

type OutcomeView = {
  readonly kind: Outcome['kind'];
  readonly verified: boolean;
  /** How it was verified; `null` = it was not, or the loop had no clean room. */
  readonly level: Level | null;
  /** The checks also passed before the work; the value is where they pass now. `null` = they prove the goal, or did not decide. */
  readonly greenBefore: 'room' | 'tree' | null;
  /** Why there was no clean room, although checks passed. */
  readonly noRoom: string | null;
  readonly guard: Guard | null;
  readonly reason: string;
};

type PauseView = {
  readonly cause: PauseCause;
  readonly reason: string;
  readonly question: string | null;
  readonly resumeAt: string | null;
};

type Viewed = { readonly spec: Spec; readonly state: State };

/** `seen`: what is known about its session. */
export function viewOf({ spec, state }: Viewed, seen: SeenOfSession = {}): LoopView {
  const still = standstillOf(state, seen);
  const results = new Map(state.checks.map((check) => [check.name, check.result]));
  return {
    id: state.loop,
    goal: spec.goal,
    status: state.status,
    iteration: iterationOf(state),
    outcome: outcomeView({ spec, state }),
    limits: state.limits,
    usage: { ...state.usage, runningMs: state.runningMs, faults: state.faults },
    checks: spec.checks.map(({ name }) => ({ name, result: results.get(name) ?? 'unknown' })),
    host: state.session?.host ?? agentName(spec),
    session: state.session?.id ?? null,
    cwd: state.cwd,
    startedAt: state.startedAt,
    updatedAt: state.updatedAt,
    endedAt: state.endedAt,
    ...(spec.dialect === undefined ? {} : { file: fileView(spec.dialect, { spec, state }) }),
    ...(state.pause === null ? {} : { pause: pauseView(state.pause, state) }),
    ...(still === null ? {} : { standstill: still }),
    ...(state.worker === null ? {} : { driver: { pid: state.worker.pid, machine: state.worker.machine } }),
  };
}

/** A loop driven by a worker has no session; the agent that the worker starts is shown in place of the host. */
function agentName(spec: Spec): string | null {
  if (spec.agent === undefined) return null;
  return spec.agent.kind === 'named' ? spec.agent.name : 'command';
}

function fileView({ name, file }: NonNullable<Spec['dialect']>, loop: Viewed): FileView {
  const { iteration, max } = iterationCountOf(loop);
  return { dialect: name, path: file, iteration, iterationsMax: max };
}

function outcomeView({ spec, state }: Viewed): OutcomeView | null {
  const { outcome } = state;
  if (outcome === null) return null;
  return {
    kind: outcome.kind,
    verified: outcome.kind === 'completed' && outcome.verified,
    level: levelOf(state) ?? null,
    greenBefore: (outcome.kind === 'completed' ? outcome.greenBefore : undefined) ?? null,
    noRoom: whyNoRoom(spec, state),
    guard: outcome.kind === 'halted' ? outcome.guard : null,
    reason: outcomeSentence({ spec, state }),
  };
}

function pauseView(pause: NonNullable<State['pause']>, state: State): PauseView {
  return {
    cause: pause.cause,
    reason: pauseReason(pause, state),
    question: pause.question ?? null,
    resumeAt: pause.resumeAt === undefined ? null : new Date(pause.resumeAt).toISOString(),
  };
}
