import type { Decision, Unmet } from '../core/decision.ts';
import type { Event } from '../core/event.ts';
import type { Evidence } from '../core/evidence.ts';
import type { Entry, Loop } from '../core/journal.ts';
import type { Outcome, Spec, State } from '../core/loop.ts';
import type { RoomBaseline } from '../core/room.ts';

/** Stands for the name of a hold-out. That something hidden is not met is no secret: the prompt reports it too. */
const HIDDEN = 'a hidden check';

/** Loops and journals as the agent of a loop may read them: without a trace of the names, commands and results of hold-out checks. */
export function hasHoldouts({ asked, spec }: Loop): boolean {
  return [asked, spec].some(({ checks }) => checks.some((check) => check.holdout));
}

export function withoutHoldouts<L extends Loop>(loop: L): L {
  const names = holdoutsOf(loop.asked, loop.spec);
  return {
    ...loop,
    asked: inSpec(loop.asked, names),
    spec: inSpec(loop.spec, names),
    state: inState(loop.state, names),
  };
}

export function entriesWithoutHoldouts(entries: readonly Entry[]): readonly Entry[] {
  const specs = entries.flatMap(({ event }) => (event.kind === 'loop-started' ? [event.spec] : []));
  const names = holdoutsOf(...specs);
  return entries.map((entry) => ({
    ...entry,
    event: inEvent(entry.event, names),
    evidence: inEvidence(entry.evidence, names),
    decision: inDecision(entry.decision, names),
  }));
}

type Names = ReadonlySet<string>;

function holdoutsOf(...specs: readonly Spec[]): Names {
  return new Set(specs.flatMap(({ checks }) => checks.flatMap(({ name, holdout }) => (holdout ? [name] : []))));
}

function shown<C extends { readonly name: string }>(all: readonly C[], names: Names): readonly C[] {
  return all.filter(({ name }) => !names.has(name));
}

function inSpec(spec: Spec, names: Names): Spec {
  return {
    ...spec,
    checks: shown(spec.checks, names),
    criteria: spec.criteria.filter((criterion) => criterion.by !== 'check' || !names.has(criterion.check)),
  };
}

function inState(state: State, names: Names): State {
  const { room, roomChecks, outcome } = state;
  return {
    ...state,
    checks: shown(state.checks, names),
    baseline: state.baseline === null ? null : shown(state.baseline, names),
    plan: { ...state.plan, unmet: inUnmet(state.plan.unmet, names) },
    outcome: outcome === null ? null : inOutcome(outcome, names),
    ...(room === undefined ? {} : { room: inRoom(room, names) }),
    ...(roomChecks === undefined ? {} : { roomChecks: shown(roomChecks, names) }),
  };
}

function inOutcome(outcome: Outcome, names: Names): Outcome {
  if (outcome.kind !== 'completed' || outcome.flaky === undefined) return outcome;
  return { ...outcome, flaky: outcome.flaky.filter((name) => !names.has(name)) };
}

function inRoom(room: RoomBaseline, names: Names): RoomBaseline {
  return room.kind === 'kept' ? { ...room, fits: shown(room.fits, names) } : room;
}

function inEvent(event: Event, names: Names): Event {
  return event.kind === 'loop-started' ? { ...event, spec: inSpec(event.spec, names) } : event;
}

function inEvidence(evidence: Evidence, names: Names): Evidence {
  const { checks, room, roomBaseline } = evidence;
  return {
    ...evidence,
    ...(checks === undefined ? {} : { checks: shown(checks, names) }),
    ...(room?.kind === 'judged' ? { room: { ...room, runs: shown(room.runs, names) } } : {}),
    ...(roomBaseline === undefined ? {} : { roomBaseline: inRoom(roomBaseline, names) }),
  };
}

export function decisionWithoutHoldouts(decision: Decision, spec: Spec): Decision {
  return inDecision(decision, holdoutsOf(spec));
}

function inDecision(decision: Decision, names: Names): Decision {
  switch (decision.kind) {
    case 'continue':
    case 'halt':
    case 'refuse':
      return { ...decision, unmet: inUnmet(decision.unmet, names) };
    case 'pause':
      return decision.unmet === undefined ? decision : { ...decision, unmet: inUnmet(decision.unmet, names) };
    case 'complete':
      return {
        ...decision,
        proofs: decision.proofs.map((proof) => (names.has(proof.name) ? { ...proof, name: HIDDEN } : proof)),
      };
    case 'cancel':
    case 'record':
    case 'abstain':
      return decision;
  }
}

function inUnmet(unmet: readonly Unmet[], names: Names): readonly Unmet[] {
  return unmet.map((what) => {
    if ((what.kind === 'check' || what.kind === 'room') && names.has(what.name)) return { ...what, name: HIDDEN };
    return what.kind === 'forbidden' && [...names].some((name) => what.what.includes(name))
      ? { ...what, what: HIDDEN }
      : what;
  });
}
