import { areAllGreen, roomUnmet } from './decide-room.ts';
import type { CheckAnswer, CheckResult, TestCounts } from './evidence.ts';
import type { CheckSpec, Spec, State } from './loop.ts';
import type { JudgeChange, RoomDoubt, RoomFacts, RoomLack, Sign } from './room.ts';
import { fitOf, roomAnswer } from './room.ts';

/** Use of the clean room outside a decision: what it found about some work, and whether that proves the checks of a loop. */
export type Verification = {
  readonly proven: boolean;
  /** Hash of the work; `null` = there was no room. */
  readonly work: string | null;
  readonly checks: readonly VerifiedCheck[];
  readonly changes: readonly JudgeChange[];
  readonly signs: readonly Sign[];
  /** Everything passes, but every check also passed before the agent began: nothing broke, and nothing is proven. */
  readonly greenBefore?: true;
  /** Why no room could judge the work; absent = one did. */
  readonly lack?: NoRoom;
};

/** `not-asked`: the spec has no room. `no-baseline`: the loop has not begun. */
export type NoRoom = { readonly why: RoomLack | 'not-asked' | 'no-baseline'; readonly detail: string };

export type VerifiedCheck = {
  readonly name: string;
  readonly holdout: boolean;
  /** `files`: a look at files, which needs no room. `none`: it was not run, because it cannot run in the room or there is no room. */
  readonly where: 'room' | 'files' | 'none';
  readonly result: CheckAnswer;
  readonly doubt?: RoomDoubt;
  readonly before?: TestCounts;
  readonly tests?: TestCounts;
  /** It passes only with the judge's files as the agent left them. */
  readonly restsOnChanges?: true;
  readonly flaky?: true;
  readonly durationMs: number;
  readonly tail: string;
};

/** Why a loop has no usable room; `null` = it has one. */
export function noRoomOf(spec: Spec, state: State): NoRoom | null {
  if (spec.room === undefined) return { why: 'not-asked', detail: '' };
  if (state.room === undefined) return { why: 'no-baseline', detail: '' };
  if (state.room.kind === 'none') return { why: state.room.why, detail: state.room.detail };
  return state.room.trial === undefined ? null : { why: 'too-slow', detail: 'it is still being tried at the start' };
}

/** `looks`: results of the checks that only look at files. */
export function verificationOf(
  { spec, state }: { readonly spec: Spec; readonly state: State },
  room: RoomFacts,
  looks: readonly CheckResult[],
): Verification {
  const checks = spec.checks.map((check) => verifiedCheck(check, state, room, looks));
  if (room.kind !== 'judged') {
    const lack =
      room.kind === 'lost' ? { why: room.why, detail: room.detail } : { why: 'too-slow' as const, detail: '' };
    return { proven: false, work: null, checks, changes: [], signs: [], lack };
  }
  const isClear = roomUnmet(spec, state, { clock: NO_CLOCK, room }).length === 0;
  const passes = isClear && checks.length > 0 && checks.every((check) => check.result === 'passed');
  const isGreen = areAllGreen(
    spec,
    state,
    checks.map((check) => check.name),
  );
  const green = passes && isGreen ? { greenBefore: true as const } : {};
  return { proven: passes && !isGreen, ...green, work: room.work, checks, changes: room.changes, signs: room.signs };
}

/** The room rule uses no clock. */
const NO_CLOCK = { wallMs: 0, monotonicMs: 0, boot: '' };

export function unverified(spec: Spec, lack: NoRoom): Verification {
  const checks = spec.checks.map((check) => notRun(check));
  return { proven: false, work: null, checks, changes: [], signs: [], lack };
}

function verifiedCheck(check: CheckSpec, state: State, room: RoomFacts, looks: readonly CheckResult[]): VerifiedCheck {
  const { name, holdout } = check;
  const look = looks.find((result) => result.name === name);
  if (look !== undefined) return { ...shown(look), name, holdout, where: 'files', result: look.result };
  const run = room.kind === 'judged' ? room.runs.find((candidate) => candidate.name === name) : undefined;
  if (run === undefined) return notRun(check);
  const fit = fitOf(state.room, name);
  const answer = roomAnswer(run, fit);
  // It may pass only with the added tests, so the counts of the decisive run are shown.
  const counts =
    answer.result === 'passed' && run.judged.result !== 'passed' ? (run.withAdded ?? run.judged) : run.judged;
  return {
    ...shown(counts),
    name,
    holdout,
    where: 'room',
    result: answer.result,
    ...(answer.result === 'passed' ? {} : { doubt: answer.doubt }),
    ...(fit?.tests === undefined ? {} : { before: fit.tests }),
    ...(answer.result !== 'passed' && run.asLeft?.result === 'passed' ? { restsOnChanges: true } : {}),
  };
}

function notRun({ name, holdout }: CheckSpec): VerifiedCheck {
  return { name, holdout, where: 'none', result: 'unknown', durationMs: 0, tail: '' };
}

function shown({
  tests,
  flaky,
  durationMs,
  tail,
}: CheckResult): Pick<VerifiedCheck, 'tests' | 'flaky' | 'durationMs' | 'tail'> {
  return { ...(tests === undefined ? {} : { tests }), ...(flaky === undefined ? {} : { flaky }), durationMs, tail };
}
