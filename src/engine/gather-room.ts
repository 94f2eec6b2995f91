import type { CheckResult, Evidence } from '../core/evidence.ts';
import type { Spec, State } from '../core/loop.ts';
import type { RoomBaseline, RoomFacts } from '../core/room.ts';
import { fitOf, roomAnswer } from '../core/room.ts';
import type { Pipeline } from './pipeline.ts';
import { perform } from './pipeline.ts';
import type { ProbeAnswer, ProbeRequest } from './ports.ts';

/** At the start, before the agent can touch anything: keeps a copy of the project. */
export function* gatherCopy(spec: Spec, state: State): Pipeline<RoomBaseline | undefined> {
  if (spec.room === undefined) return undefined;
  const answer = yield* ask(state, { kind: 'room-copy', spec });
  return answer?.kind === 'room-baseline' ? answer.baseline : undefined;
}

/** Only while the agent waits: if a check is still running, the agent is already at work. */
export function* settleCopy(
  spec: Spec,
  state: State,
  { copy, results }: { readonly copy: RoomBaseline | undefined; readonly results: readonly CheckResult[] },
): Pipeline<RoomBaseline | undefined> {
  if (copy?.kind !== 'kept' || results.some((result) => result.unknown === 'still-running')) return copy;
  const answer = yield* ask(state, { kind: 'room-copy', spec, settles: copy });
  return answer?.kind === 'room-baseline' && answer.baseline.kind === 'kept' ? answer.baseline : copy;
}

/**
 * Finds out which checks work in the room by running them in a room of the copy. In a session that may outlast the hook, and the baseline
 * is then on trial.
 */
export function* gatherFits(
  spec: Spec,
  state: State,
  { copy: found, results }: { readonly copy: RoomBaseline | undefined; readonly results: readonly CheckResult[] },
): Pipeline<Pick<Evidence, 'roomBaseline'>> {
  if (found?.kind !== 'kept') return found === undefined ? {} : { roomBaseline: found };
  const { trial: _, ...copy } = found;
  const answer = yield* ask(state, { kind: 'room-baseline', spec, copy, results });
  return answer?.kind === 'room-baseline' ? { roomBaseline: answer.baseline } : {};
}

/** A trial that outlasted the hook of the start. Everything it needs was kept before the agent began, so it can run at any time. */
export function* gatherTrial(spec: Spec, state: State): Pipeline<RoomBaseline | undefined> {
  const { room: copy, baseline } = state;
  if (copy?.kind !== 'kept' || copy.trial === undefined) return undefined;
  return (yield* gatherFits(spec, state, { copy, results: baseline ?? [] })).roomBaseline;
}

/**
 * Runs the checks that work in the room. `undefined` = the loop has no room. `lack`: why the trial failed after the agent began, which must
 * not remove the room.
 */
export function* gatherRoom(spec: Spec, state: State, lack?: RoomBaseline): Pipeline<RoomFacts | undefined> {
  const baseline = state.room;
  if (spec.room === undefined || baseline?.kind !== 'kept') return undefined;
  if (lack?.kind === 'none') return { kind: 'lost', why: lack.why, detail: lack.detail };
  if (baseline.trial !== undefined) return { kind: 'running', ...baseline.trial };
  const checks = spec.checks.filter((check) => fitOf(baseline, check.name)?.fit === true);
  const answer = yield* ask(state, { kind: 'room', spec, checks, baseline });
  return answer?.kind === 'room' ? answer.facts : { kind: 'lost', why: 'failed', detail: '' };
}

/** Hold-out checks run only in the room, so their result there is their result. */
export function holdoutsIn(room: RoomFacts | undefined, spec: Spec, state: State): readonly CheckResult[] {
  if (room?.kind !== 'judged') return [];
  const holdouts = new Set(spec.checks.filter((check) => check.holdout).map((check) => check.name));
  return room.runs
    .filter((run) => holdouts.has(run.name))
    .map((run) => {
      const { result } = roomAnswer(run, fitOf(state.room, run.name));
      return { ...run.judged, result, holdout: true };
    });
}

/** Has the work changed since the person was asked about it? */
export function* gatherWork(spec: Spec, state: State): Pipeline<Pick<Evidence, 'work'>> {
  const baseline = state.room;
  if (state.pause?.work === undefined || baseline === undefined) return {};
  const answer = yield* ask(state, { kind: 'work', spec, baseline });
  return answer?.kind === 'work' ? { work: answer.hash } : {};
}

function* ask({ loop, cwd, vouchers }: State, request: ProbeRequest): Pipeline<ProbeAnswer | undefined> {
  const vouched = vouchers === undefined ? {} : { vouchers };
  const [answer] = yield* perform('probe', { loop, cwd, requests: [request], inOrder: true, ...vouched });
  return answer;
}
