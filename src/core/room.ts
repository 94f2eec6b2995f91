import type { Unmet } from './decision.ts';
import type { CheckAnswer, CheckResult, TestCounts } from './evidence.ts';

/**
 * What the runs in the clean room prove. The room is the agent's work as a commit would contain it, with the judge's files of the baseline.
 * `evidence` creates it and runs the checks there; only these functions interpret the results.
 */

/** How the room of a loop is made. Absent in older loops, and in loops that follow a document's own rules. */
export type RoomSpec = {
  /** Ignored files and folders that the checks need, kept as they were at the start. */
  readonly keep: readonly string[];
  /** Run in the room before the checks, such as `npm run build`. */
  readonly setup?: string;
  /** Globs of files that do not count as the judge's, whatever the tables say. */
  readonly free: readonly string[];
};

/** Why there is no room. */
export type RoomLack =
  | 'git-missing'
  | 'not-supported'
  | 'too-large'
  | 'too-slow'
  | 'no-space'
  | 'not-readable'
  | 'files-vanish'
  | 'setup-failed'
  | 'baseline-lost'
  | 'baseline-changed'
  | 'program-changed'
  | 'work-changed'
  | 'failed';

/** What was kept of the project at the start, and which checks work in the room. */
export type RoomBaseline =
  | {
      readonly kind: 'kept';
      readonly files: number;
      /** How many of the files are the judge's, and a hash of their paths and contents. */
      readonly judgeFiles: number;
      readonly judgeHash: string;
      readonly fits: readonly RoomFit[];
      /** The checks are still being tried in a room of the copy, so `fits` is empty. `call`, `voucher`: as for a running check. */
      readonly trial?: RoomTrial;
      /** Paths of the judge's files that the checks write themselves; bounded. */
      readonly written?: readonly string[];
      /** Judge's files that the checks rewrite with the same content. */
      readonly touched?: readonly string[];
      /** Patterns of `--protect`, `--free` and `--room-keep` without a match. */
      readonly unmatched?: readonly string[];
      /** Ignored files and folders of the project, which an unfit check may need. */
      readonly ignored?: readonly string[];
    }
  | { readonly kind: 'none'; readonly why: RoomLack; readonly detail: string };

export type RoomTrial = { readonly call: string; readonly voucher?: string };

/** Fit: in a room of the untouched project the check had the same result as in the work tree. `tests`: how many it ran there. */
export type RoomFit = {
  readonly name: string;
  readonly fit: boolean;
  readonly tests?: TestCounts;
  /** It passed there before the agent began. Absent = it did not, or the version did not record it. */
  readonly green?: true;
  /** It passed there although this many tests failed, for example because the command ends with `|| true`. */
  readonly tolerates?: number;
  /** Unfit: its result and output in the room. */
  readonly result?: CheckAnswer;
  readonly tail?: string;
  /**
   * Unfit for a known reason: it timed out there; or the check, or the judge's file `by`, points back into the project, so the agent could
   * edit what judges the room.
   */
  readonly because?: 'timed-out' | 'leads-out';
  readonly by?: string;
};

export type RoomFacts =
  | {
      readonly kind: 'judged';
      /** Hash of the work as a commit would contain it. A person's approval is for exactly this work. */
      readonly work: string;
      readonly runs: readonly RoomRun[];
      readonly changes: readonly JudgeChange[];
      readonly signs: readonly Sign[];
    }
  /** The room takes longer than the hook may run. `call`: how the agent can wait for it with tireless. */
  | { readonly kind: 'running'; readonly call: string; readonly voucher?: string }
  | { readonly kind: 'lost'; readonly why: RoomLack; readonly detail: string };

/** One check in the room. Each further run happens only if the one before did not prove enough. */
export type RoomRun = {
  readonly name: string;
  /** With only the judge's files of the baseline. */
  readonly judged: CheckResult;
  /** Also with the tests that the agent added. */
  readonly withAdded?: CheckResult;
  /** With all judge's files as the agent left them. */
  readonly asLeft?: CheckResult;
  /** With tests that must fail. */
  readonly planted?: PlantedRun;
};

/** A check that passed, run again in rooms where each test file has two more tests that must fail, and with changed expected values. */
export type PlantedRun = {
  readonly result: CheckAnswer;
  readonly tests?: TestCounts;
  /** How many expected values were changed, in files that are known to have run. */
  readonly values: number;
  /** The counts when comparing one of these values raises an error. */
  readonly raising?: TestCounts;
  /** Only if it passed: its result when every test file fails by itself, without the product. */
  readonly control?: CheckAnswer;
};

/** A judge's file that the agent changed. `part`: which part of a mixed file, such as `scripts.test`. */
export type JudgeChange = {
  readonly path: string;
  readonly change: 'added' | 'modified' | 'deleted';
  readonly part?: string;
  /** It could not be restored: the room ran with it, so a pass there proves nothing either. */
  readonly stands?: true;
};

/** A line of the agent's work that looks like tampering. `text` is shown, never compared. */
export type Sign = {
  readonly code: SignCode;
  readonly path: string;
  readonly line: number;
  readonly text: string;
};

export type SignCode =
  | 'patches-tests'
  | 'patches-builtins'
  | 'imports-tests'
  | 'exits-early'
  | 'looks-for-tests'
  | 'reads-tests'
  | 'equals-all'
  | 'counts-calls'
  | 'prints-summary'
  | 'leaves-project'
  | 'silences-check'
  | 'tests-removed'
  | 'tests-skipped'
  | 'assertion-emptied';

/** `fails`, `no-answer`: the check itself. The others: it passed, but its runner's report about the tests contradicts that. */
export type RoomDoubt =
  | 'fails'
  | 'no-answer'
  | 'no-count'
  | 'no-tests'
  | 'fewer-tests'
  | 'more-skipped'
  | 'failed-tests'
  | 'cannot-fail';

export type RoomAnswer =
  | { readonly result: 'passed' }
  | {
      readonly result: 'failed' | 'unknown';
      readonly doubt: RoomDoubt;
      /** Numbers of tests, at the baseline and now. */
      readonly before?: number;
      readonly now?: number;
    };

/** What one check has shown in the room. */
export function roomAnswer({ judged, withAdded, planted }: RoomRun, fit: RoomFit | undefined): RoomAnswer {
  const bare = countedAnswer(judged, fit);
  if (bare.result === 'passed' && planted !== undefined && isDisarmed(judged, planted))
    return { result: 'unknown', doubt: 'cannot-fail' };
  if (bare.result === 'passed' || withAdded === undefined) return bare;
  const together = countedAnswer(withAdded, fit);
  if (together.result !== 'passed') return bare;
  return isOnlyLackingTests(judged, fit?.tests) ? together : bare;
}

/** Does something keep tests from failing? More failures than were planted are fine, and a run that cannot be counted shows nothing. */
function isDisarmed({ tests: before }: CheckResult, { result, tests, values, raising, control }: PlantedRun): boolean {
  // The control shows whether the check runs these files at all.
  if (result === 'passed') return control === 'failed';
  if (result === 'unknown' || tests === undefined || before === undefined) return false;
  const passed = passedOf(tests);
  // A test that must fail passed, or a test passed although its expected value was changed.
  if (passed > passedOf(before) || (raising !== undefined && passed > passedOf(raising))) return true;
  // Every test that passed before still passes. Skipped tests compare nothing.
  return passed === passedOf(before) && values > 0 && before.skipped === 0 && tests.ran > before.ran;
}

function passedOf({ ran, failed }: TestCounts): number {
  return ran - failed;
}

/** Is the check short only of the tests that the agent added? Needs a runner that reports how many tests it ran. */
export function isOnlyLackingTests(judged: CheckResult, before: TestCounts | undefined): boolean {
  const { tests } = judged;
  if (tests === undefined) return false;
  return tests.failed === 0 && tests.ran >= (before?.ran ?? 0) && tests.skipped <= (before?.skipped ?? 0);
}

/** Can all of these checks run in the room? Only then can a completion have the level `room`. */
export function isProvenInRoom(baseline: RoomBaseline, names: readonly string[]): boolean {
  if (baseline.kind === 'none' || names.length === 0) return false;
  return names.every((name) => fitOf(baseline, name)?.fit === true);
}

export function fitOf(baseline: RoomBaseline | undefined, name: string): RoomFit | undefined {
  return baseline?.kind === 'kept' ? baseline.fits.find((fit) => fit.name === name) : undefined;
}

type BaselineOnTrial = RoomBaseline & { readonly kind: 'kept'; readonly trial: RoomTrial };

/** Are the checks still being tried in the room? */
export function isOnTrial(baseline: RoomBaseline | undefined): baseline is BaselineOnTrial {
  return baseline?.kind === 'kept' && baseline.trial !== undefined;
}

/** Names each doubt by a key that stays the same until the agent changes something about it. */
export function doubtKeys(unmet: readonly Unmet[]): readonly string[] {
  return unmet.flatMap((what) => {
    switch (what.kind) {
      case 'room':
        return [`room ${what.name} ${what.doubt}`];
      case 'judge-file':
        return [`judge-file ${what.path}`];
      case 'sign':
        return [`sign ${what.code} ${what.path}`];
      case 'room-lost':
        return [`room-lost ${what.why}`];
      case 'check':
      case 'claim':
      case 'criterion':
      case 'approval':
      case 'forbidden':
        return [];
    }
  });
}

function countedAnswer({ result, tests }: CheckResult, fit: RoomFit | undefined): RoomAnswer {
  const before = fit?.tests;
  if (result === 'failed') return { result, doubt: 'fails' };
  if (result === 'unknown') return { result, doubt: 'no-answer' };
  if (tests === undefined)
    return before === undefined ? { result: 'passed' } : { result: 'unknown', doubt: 'no-count', before: before.ran };
  if (tests.ran === 0) return { result: 'unknown', doubt: 'no-tests', before: before?.ran ?? 0, now: 0 };
  if (tests.ran < (before?.ran ?? 0))
    return { result: 'unknown', doubt: 'fewer-tests', before: before?.ran ?? 0, now: tests.ran };
  const tolerated = fit?.tolerates ?? 0;
  if (tests.failed > tolerated)
    return { result: 'unknown', doubt: 'failed-tests', before: tolerated, now: tests.failed };
  // If tests failed at the baseline, files that could not be loaded were not counted, and some of their tests may be skipped on purpose.
  if (before?.failed === 0 && tests.skipped > before.skipped)
    return { result: 'unknown', doubt: 'more-skipped', before: before.skipped, now: tests.skipped };
  return { result: 'passed' };
}
