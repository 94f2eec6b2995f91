import type { Decision, Proof, Unmet } from './decision.ts';
import type { Evidence } from './evidence.ts';
import type { Finding } from './finish-rule.ts';
import { isVerified } from './finish-rule.ts';
import type { CheckSpec, Level, Spec, State } from './loop.ts';
import { doubtKeys, fitOf, isProvenInRoom, roomAnswer } from './room.ts';
import type { RoomBaseline, RoomFacts, SignCode } from './room.ts';

/** How many files and lines are named; more would not help anyone. */
const NAMED_MAX = 20;
const WORK_CHARS = 12;
/** The room runs the tests of the baseline, so the agent's changes to its own copy matter only if some check runs in the work tree alone. */
const OF_TESTS: ReadonlySet<SignCode> = new Set(['tests-removed', 'tests-skipped', 'assertion-emptied']);

/** The finish rule holds in the work tree. Empty when nothing in the room contradicts it. */
export function roomUnmet(spec: Spec, state: State, { room }: Evidence): readonly Unmet[] {
  if (room === undefined || room.kind === 'running') return [];
  if (room.kind === 'lost') return [{ kind: 'room-lost', why: room.why, detail: room.detail }];
  const failed = room.runs.flatMap((run): Unmet[] => {
    const answer = roomAnswer(run, fitOf(state.room, run.name));
    if (answer.result === 'passed') return [];
    const holdout = spec.checks.some((check) => check.name === run.name && check.holdout);
    return [{ kind: 'room', name: run.name, ...answer, ...(holdout ? { holdout } : {}) }];
  });
  const isTreeOnly = isTreeOnlyFor(spec, state);
  return [
    ...failed,
    ...changesOf(room, isTreeOnly || failed.length > 0),
    ...room.signs
      .filter(({ code }) => isTreeOnly || !OF_TESTS.has(code))
      .slice(0, NAMED_MAX)
      .map((sign): Unmet => ({ kind: 'sign', ...sign })),
  ];
}

/** A check that runs only in the work tree depends on what the agent did to its judge. A check the agent has to write has no other judge. */
function isTreeOnlyFor(spec: Spec, state: State): boolean {
  return commandChecks(spec).some(({ name }) => fitOf(state.room, name)?.fit !== true && !isToBeWritten(state, name));
}

/** The check could not be run at the start, and the user allowed that. */
function isToBeWritten({ baseline }: State, name: string): boolean {
  return baseline?.find((check) => check.name === name)?.unknown === 'not-runnable';
}

/** If all checks pass with the judge's files of the baseline, only changes that could not be undone matter. */
function changesOf({ changes }: RoomFacts & { kind: 'judged' }, all: boolean): readonly Unmet[] {
  return changes
    .filter((change) => all || change.stands === true)
    .slice(0, NAMED_MAX)
    .map((change): Unmet => ({ kind: 'judge-file', ...change }));
}

/** The agent was told all of this before and did not change it, or no iteration is left in which to tell it. */
export function isKeptByAgent(state: State, unmet: readonly Unmet[], isLast: boolean): boolean {
  const keys = doubtKeys(unmet);
  if (keys.length === 0 || keys.length < unmet.length) return false;
  return isLast || keys.every((key) => state.doubts?.includes(key) === true);
}

/** Asks a person to review exactly this work. */
export function reviewOf(room: RoomFacts | undefined, unmet: readonly Unmet[]): Decision {
  const work = room?.kind === 'judged' ? { work: room.work } : {};
  const request = room?.kind === 'judged' ? `work:${room.work.slice(0, WORK_CHARS)}` : 'work';
  return { kind: 'pause', cause: 'review', request, ...work, unmet };
}

/** `approved`: a person accepted the doubts of the room. */
export function completing(spec: Spec, state: State, proofs: Finding['proofs'], approved = false): Decision {
  if (!isVerified(proofs)) return { kind: 'complete', verified: false, proofs };
  const level = levelOf(spec, state.room, proofs, approved);
  if (!approved && wereAllGreen(spec, state, proofs))
    return { kind: 'complete', verified: false, greenBefore: level === 'room' ? 'room' : 'tree', proofs };
  return { kind: 'complete', verified: true, ...(level === undefined ? {} : { level }), proofs };
}

/** Does the proof consist of checks that passed before the agent began? They show that nothing broke, and nothing about the goal. */
function wereAllGreen(spec: Spec, state: State, proofs: readonly Proof[]): boolean {
  if (proofs.some((proof) => proof.kind === 'approval')) return false;
  return areAllGreen(
    spec,
    state,
    proofs.flatMap((proof) => (proof.kind === 'check' ? [proof.name] : [])),
  );
}

/** Did each of these checks pass before the agent began? Never true for a loop in which that proves something. */
export function areAllGreen(spec: Spec, { baseline, room }: State, names: readonly string[]): boolean {
  if (spec.greenProvesNothing !== true || names.length === 0) return false;
  const green = new Set((baseline ?? []).filter((check) => check.result === 'passed').map((check) => check.name));
  // Hold-outs, and checks that outlast a hook, ran only in the room of the untouched project.
  return names.every((name) => green.has(name) || fitOf(room, name)?.green === true);
}

function levelOf(
  spec: Spec,
  baseline: RoomBaseline | undefined,
  proofs: readonly Proof[],
  approved: boolean,
): Level | undefined {
  if (spec.room === undefined) return undefined;
  if (approved || !proofs.some((proof) => proof.kind === 'check')) return 'approval';
  const names = commandChecks(spec).map((check) => check.name);
  // A loop of a dialect begins at its first stop: what the agent did to its judge before that is in the baseline.
  if (spec.dialect !== undefined) return 'tree';
  return baseline !== undefined && isProvenInRoom(baseline, names) ? 'room' : 'tree';
}

function commandChecks(spec: Spec): readonly CheckSpec[] {
  return spec.checks.filter((check) => check.probe.kind === 'command');
}
