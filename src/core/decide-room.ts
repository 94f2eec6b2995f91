import type { Decision, Proof, Unmet } from './decision.ts';
import type { Evidence } from './evidence.ts';
import type { Finding } from './finish-rule.ts';
import { isVerified } from './finish-rule.ts';
import type { CheckSpec, Level, Spec, State } from './loop.ts';
import { doubtKeys, fitOf, isProvenInRoom, roomAnswer } from './room.ts';
import type { RoomAnswer, RoomBaseline, RoomDoubt, RoomFacts, RoomRun, SignCode } from './room.ts';

/** How many files and lines are named. A longer list would not help anyone. */
const NAMED_MAX = 20;
const WORK_CHARS = 12;
/** The room runs the tests of the baseline, so the agent's changes to its own copy matter only if some check runs in the work tree alone. */
const OF_TESTS: ReadonlySet<SignCode> = new Set(['tests-removed', 'tests-skipped', 'assertion-emptied']);

/** Called when the finish rule is met in the work tree. Empty if nothing in the room contradicts that. */
export function roomUnmet(spec: Spec, state: State, { room }: Evidence): readonly Unmet[] {
  if (room === undefined || room.kind === 'running') return [];
  if (room.kind === 'lost') return [{ kind: 'room-lost', why: room.why, detail: room.detail }];
  const failed = room.runs.flatMap((run): Unmet[] => {
    const answer = roomAnswer(run, fitOf(state.room, run.name));
    if (answer.result === 'passed') return [];
    const holdout = spec.checks.some((check) => check.name === run.name && check.holdout);
    if (holdout && failsItself(run, answer)) return [];
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

/** A hold-out check runs nowhere else: if it fails whatever the agent did to the judge's files, the work is wrong and the finish rule is not met. */
function failsItself({ asLeft }: RoomRun, { doubt }: RoomAnswer & { readonly doubt: RoomDoubt }): boolean {
  return (doubt === 'fails' || doubt === 'no-answer') && asLeft?.result !== 'passed';
}

/** What is open beside the doubts of the room: hold-out checks that fail there, or in the work tree. */
export function besideDoubts(unmet: readonly Unmet[], doubts: readonly Unmet[]): readonly Unmet[] {
  const doubted = new Set(doubts.flatMap((what) => (what.kind === 'room' ? [what.name] : [])));
  return unmet.filter((what) => what.kind === 'check' && !doubted.has(what.name));
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

/**
 * Asks a person to review exactly this work, when the agent was sent back with all of it before and kept it, or when no iteration is left in
 * which to send it back. `null` if the doubts are not all that is open.
 */
export function reviewOfKept(
  state: State,
  room: RoomFacts | undefined,
  unmet: readonly Unmet[],
  isLast: boolean,
): Decision | null {
  if (unmet.length === 0 || doubtKeys(unmet).length < unmet.length) return null;
  if (!isKept(state, unmet) && !isLast) return null;
  const work = room?.kind === 'judged' ? { work: room.work } : {};
  const request = room?.kind === 'judged' ? `work:${room.work.slice(0, WORK_CHARS)}` : 'work';
  return { kind: 'pause', cause: 'review', request, ...work, unmet };
}

/** Was the agent sent back with all of these doubts before? A pause adds none. */
export function isKept({ doubts = [] }: Pick<State, 'doubts'>, unmet: readonly Unmet[]): boolean {
  return doubtKeys(unmet).every((key) => doubts.includes(key));
}

/** `approved`: a person accepted the doubts of the room. */
export function completing(spec: Spec, state: State, proofs: Finding['proofs'], approved = false): Decision {
  if (!isVerified(proofs)) return { kind: 'complete', verified: false, proofs };
  const level = levelOf(spec, state.room, proofs, approved);
  if (!approved && wereAllGreen(spec, state, proofs))
    return { kind: 'complete', verified: false, greenBefore: level === 'room' ? 'room' : 'tree', proofs };
  return { kind: 'complete', verified: true, ...(level === undefined ? {} : { level }), proofs };
}

/** Do all proofs come from checks that passed before the agent began? They show that nothing broke, but nothing about the goal. */
function wereAllGreen(spec: Spec, state: State, proofs: readonly Proof[]): boolean {
  if (proofs.some((proof) => proof.kind === 'approval')) return false;
  return areAllGreen(
    spec,
    state,
    proofs.flatMap((proof) => (proof.kind === 'check' ? [proof.name] : [])),
  );
}

/** Did each of these checks pass before the agent began? Always false for a loop in which such checks count as proof. */
export function areAllGreen(spec: Spec, { baseline, room }: State, names: readonly string[]): boolean {
  if (spec.greenProvesNothing !== true || names.length === 0) return false;
  const green = new Set((baseline ?? []).filter((check) => check.result === 'passed').map((check) => check.name));
  // Hold-outs and checks that outlast a hook ran only in the room of the untouched project.
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
  // A loop of a dialect begins at its first stop, so its baseline includes whatever the agent did to its judge before that.
  if (spec.dialect !== undefined) return 'tree';
  return baseline !== undefined && isProvenInRoom(baseline, names) ? 'room' : 'tree';
}

function commandChecks(spec: Spec): readonly CheckSpec[] {
  return spec.checks.filter((check) => check.probe.kind === 'command');
}
