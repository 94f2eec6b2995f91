import type { Unmet } from './decision.ts';
import type { CheckAnswer, CheckResult, TestCounts } from './evidence.ts';

/**
 * The rule of the clean room: what its runs prove. The room is the agent's work as a commit would hold it, with the judge's files of the
 * baseline; `evidence` makes it and runs the checks there, and nothing but these functions says what that means.
 */

/** How the room of a loop is made. A spec without it has none: an older loop, or a document's with its own rules. */
export type RoomSpec = {
  /** Ignored files and folders that the checks need, as they were at the start. */
  readonly keep: readonly string[];
  /** Run in the room before the checks, such as `npm run build`. */
  readonly setup?: string;
  /** Globs of files that are not the judge's, whatever the tables say. */
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
  | 'setup-failed'
  | 'baseline-lost'
  | 'failed';

/** What was kept of the project at the start, and which checks work in the room. */
export type RoomBaseline =
  | {
      readonly kind: 'kept';
      readonly files: number;
      /** How many of them judge, and a hash over these and their contents. */
      readonly judgeFiles: number;
      readonly judgeHash: string;
      readonly fits: readonly RoomFit[];
      /** The checks are still being tried in a room of the copy, and `fits` is empty. `call`, `voucher`: as for a check that still runs. */
      readonly trial?: RoomTrial;
      /** Judge's files that the checks write themselves, by their path; bounded. */
      readonly written?: readonly string[];
      /** And those that they write as they were. */
      readonly touched?: readonly string[];
      /** Patterns of `--protect`, `--free` and `--room-keep` that match nothing. */
      readonly unmatched?: readonly string[];
      /** Ignored files and folders of the project: what an unfit check may miss. */
      readonly ignored?: readonly string[];
    }
  | { readonly kind: 'none'; readonly why: RoomLack; readonly detail: string };

export type RoomTrial = { readonly call: string; readonly voucher?: string };

/** Fit: the check answered in a room of the untouched project as it did in the work tree. `tests`: how many it ran there. */
export type RoomFit = {
  readonly name: string;
  readonly fit: boolean;
  readonly tests?: TestCounts;
  /** It passed there, before the agent began. Absent = it did not, or the version did not record it. */
  readonly green?: true;
  /** It passed there although so many tests failed, such as a command that ends with `|| true`. */
  readonly tolerates?: number;
  /** Unfit: what it answered in the room, and from its output there. */
  readonly result?: CheckAnswer;
  readonly tail?: string;
  /**
   * Unfit for a reason that is known: it timed out there; or the check, or the judge's file `by`, points back into the project, so that the room
   * would be judged by what the agent can edit.
   */
  readonly because?: 'timed-out' | 'leads-out';
  readonly by?: string;
};

export type RoomFacts =
  | {
      readonly kind: 'judged';
      /** Hash of the work as a commit would hold it: what a person accepts is exactly this. */
      readonly work: string;
      readonly runs: readonly RoomRun[];
      readonly changes: readonly JudgeChange[];
      readonly signs: readonly Sign[];
    }
  /** The room takes longer than the hook may last. `call`: how the agent can call tireless to wait for it. */
  | { readonly kind: 'running'; readonly call: string; readonly voucher?: string }
  | { readonly kind: 'lost'; readonly why: RoomLack; readonly detail: string };

/** One check in the room. Later runs are only made when the one before did not prove enough. */
export type RoomRun = {
  readonly name: string;
  /** With the judge's files of the baseline and no others. */
  readonly judged: CheckResult;
  /** And with the tests that the agent added. */
  readonly withAdded?: CheckResult;
  /** With all judge's files as the agent left them. */
  readonly asLeft?: CheckResult;
  /** With tests that must fail. */
  readonly planted?: PlantedRun;
};

/** A check that passed, run again in rooms with two more tests in each file that must fail, and with other expected values. */
export type PlantedRun = {
  readonly result: CheckAnswer;
  readonly tests?: TestCounts;
  /** How many expected values are others, in files that are known to have run. */
  readonly values: number;
  /** When an error is raised wherever one of these values would be compared. */
  readonly raising?: TestCounts;
  /** Only where it passed: its answer when every file of tests fails on its own, without the product. */
  readonly control?: CheckAnswer;
};

/** A judge's file that the agent changed. `part`: which part of a mixed file, such as `scripts.test`. */
export type JudgeChange = {
  readonly path: string;
  readonly change: 'added' | 'modified' | 'deleted';
  readonly part?: string;
  /** It could not be put back: the room ran with it, so what passed there is not proven either. */
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
  | 'tests-removed'
  | 'tests-skipped'
  | 'assertion-emptied';

/** `fails`, `no-answer`: the check itself. The rest: it passed, and what its runner says about the tests speaks against that. */
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

/**
 * Does something keep tests from failing? More failures than were planted speak against nothing, and a run that cannot be counted says nothing.
 */
function isDisarmed({ tests: before }: CheckResult, { result, tests, values, raising, control }: PlantedRun): boolean {
  // It must be known to run these files at all.
  if (result === 'passed') return control === 'failed';
  if (result === 'unknown' || tests === undefined || before === undefined) return false;
  const passed = passedOf(tests);
  // One of the tests that must fail passed; or one that compares another value now.
  if (passed > passedOf(before) || (raising !== undefined && passed > passedOf(raising))) return true;
  // All that passed before pass still. What is skipped compares nothing.
  return passed === passedOf(before) && values > 0 && before.skipped === 0 && tests.ran > before.ran;
}

function passedOf({ ran, failed }: TestCounts): number {
  return ran - failed;
}

/** Would tests that the agent added, and nothing else, make the difference? Only where the runner says how many it ran. */
export function isOnlyLackingTests(judged: CheckResult, before: TestCounts | undefined): boolean {
  const { tests } = judged;
  if (tests === undefined) return false;
  return tests.failed === 0 && tests.ran >= (before?.ran ?? 0) && tests.skipped <= (before?.skipped ?? 0);
}

/** Checks that command the level of a loop: those that could run in the room. */
export function isProvenInRoom(baseline: RoomBaseline, names: readonly string[]): boolean {
  if (baseline.kind === 'none' || names.length === 0) return false;
  return names.every((name) => fitOf(baseline, name)?.fit === true);
}

export function fitOf(baseline: RoomBaseline | undefined, name: string): RoomFit | undefined {
  return baseline?.kind === 'kept' ? baseline.fits.find((fit) => fit.name === name) : undefined;
}

type OnTrial = RoomBaseline & { readonly kind: 'kept'; readonly trial: RoomTrial };

/** Whether the checks work in the room is still being tried. */
export function isOnTrial(baseline: RoomBaseline | undefined): baseline is OnTrial {
  return baseline?.kind === 'kept' && baseline.trial !== undefined;
}

/** A doubt by a name that stays the same while the agent changes nothing about it. */
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
  // With failures at the baseline, tests that could not even be loaded were not counted, and some of them may be skipped by design.
  if (before?.failed === 0 && tests.skipped > before.skipped)
    return { result: 'unknown', doubt: 'more-skipped', before: before.skipped, now: tests.skipped };
  return { result: 'passed' };
}
