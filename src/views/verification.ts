import type { CheckAnswer, TestCounts } from '../core/evidence.ts';
import type { JudgeChange, RoomDoubt, Sign } from '../core/room.ts';
import type { NoRoom, Verification, VerifiedCheck } from '../core/verification.ts';
import { durationText } from './duration.ts';
import { excerptLines } from './check-excerpt.ts';
import { oneLine } from './printable.ts';
import { changeLine, lackWords, signLine, testsWords } from './room-words.ts';
import { CHECK_MARKS, doubtWords } from './sentences.ts';

const NAME_CHARS_MAX = 120;
const LINE_CHARS_MAX = 160;
const EXCERPT_LINES_MAX = 12;
const LISTED_MAX = 20;

/** The shape of `--json`. Hold-out checks are numbered: neither their names nor their output are shown. */
export type VerificationView = {
  readonly loop: string;
  /** `null` = the work tree as it is. */
  readonly ref: string | null;
  readonly commit: string | null;
  readonly proven: boolean;
  readonly level: 'room' | null;
  readonly greenBefore: boolean;
  readonly work: string | null;
  readonly checks: readonly {
    readonly name: string;
    readonly holdout: boolean;
    readonly where: VerifiedCheck['where'];
    readonly result: CheckAnswer;
    readonly doubt: RoomDoubt | null;
    readonly before: TestCounts | null;
    readonly tests: TestCounts | null;
    readonly restsOnChanges: boolean;
    readonly flaky: boolean;
    readonly durationMs: number;
    readonly tail: string;
  }[];
  readonly changes: readonly JudgeChange[];
  readonly signs: readonly Sign[];
  readonly noRoom: { readonly why: NoRoom['why']; readonly detail: string; readonly reason: string } | null;
};

export type VerifiedSubject = {
  readonly loop: string;
  readonly ref: { readonly name: string; readonly commit: string } | null;
};

export function verificationView({ loop, ref }: VerifiedSubject, found: Verification): VerificationView {
  return {
    loop,
    ref: ref?.name ?? null,
    commit: ref?.commit ?? null,
    proven: found.proven,
    level: found.proven ? 'room' : null,
    greenBefore: found.greenBefore === true,
    work: found.work,
    checks: withoutSecrets(found.checks).map((check) => ({
      name: check.name,
      holdout: check.holdout,
      where: check.where,
      result: check.result,
      doubt: check.doubt ?? null,
      before: check.before ?? null,
      tests: check.tests ?? null,
      restsOnChanges: check.restsOnChanges === true,
      flaky: check.flaky === true,
      durationMs: check.durationMs,
      tail: check.tail,
    })),
    changes: found.changes,
    signs: found.signs,
    noRoom: found.lack === undefined ? null : { ...found.lack, reason: noRoomText(found.lack) },
  };
}

const GREEN_BEFORE =
  'every check passed before the work too: nothing broke, but no check proves the goal; add one that fails until the goal is met';

/** For people. */
export function verificationLines({ loop, ref }: VerifiedSubject, found: Verification): readonly string[] {
  const what =
    ref === null ? 'the work tree' : `commit ${ref.commit.slice(0, 12)} (${oneLine(ref.name, NAME_CHARS_MAX)})`;
  return [
    `loop ${loop}: ${what} is ${found.proven ? 'proven (clean room)' : 'not proven'}`,
    ...(found.greenBefore === true ? [`  ${GREEN_BEFORE}`] : []),
    ...(found.lack === undefined ? [] : [`  no clean room: ${noRoomText(found.lack)}`]),
    ...withoutSecrets(found.checks).flatMap(checkLines),
    ...listed('changed files that judge the work:', found.changes.map(changeLine)),
    ...listed('signs of tampering:', found.signs.map(signLine)),
  ];
}

/** The caller may be the agent: it learns no more about hold-outs than from a prompt. */
export function withoutSecrets(checks: readonly VerifiedCheck[]): readonly VerifiedCheck[] {
  let hidden = 0;
  return checks.map((check) => {
    if (!check.holdout) return check;
    hidden += 1;
    return {
      name: `hold-out ${hidden}`,
      holdout: true,
      where: check.where,
      result: check.result,
      durationMs: check.durationMs,
      tail: '',
    };
  });
}

function checkLines(check: VerifiedCheck): readonly string[] {
  const { name, result, where, doubt } = check;
  const notes = [
    ...(where === 'none' ? ['not run: it does not work in the clean room, or no clean room exists'] : []),
    ...(doubt === undefined ? [] : [doubtWords(doubt)]),
    ...(check.tests === undefined ? [] : [testsWords(check.tests, check.before)]),
    ...(check.restsOnChanges === true ? ['it passes with the changed files below'] : []),
    ...(check.flaky === true ? ['flaky: failed, then passed when run again'] : []),
    ...(where === 'none' ? [] : [durationText(check.durationMs)]),
  ];
  const excerpt = excerptLines(check, { linesMax: EXCERPT_LINES_MAX, charsMax: LINE_CHARS_MAX });
  return [
    `  ${CHECK_MARKS[result]} ${oneLine(name, NAME_CHARS_MAX)} ${RESULT_WORDS[result]}${where === 'room' ? ' in the clean room' : ''} (${notes.join('; ')})`,
    ...excerpt.map((line) => `      | ${line}`),
  ];
}

const RESULT_WORDS: Readonly<Record<CheckAnswer, string>> = {
  passed: 'passed',
  failed: 'failed',
  unknown: 'gave no result',
};

function listed(title: string, lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [];
  const shown = lines.slice(0, LISTED_MAX).map((line) => `    ${line}`);
  const rest = lines.length > shown.length ? [`    and ${lines.length - shown.length} more`] : [];
  return [`  ${title}`, ...shown, ...rest];
}

/** Why there is no room, as a sentence without a full stop. */
function noRoomText({ why, detail }: NoRoom): string {
  if (why === 'not-asked') return 'the loop was started without one (--no-room, no command checks, or a state file)';
  if (why === 'no-baseline') return 'the loop has not begun, so no copy of the project was kept yet';
  return lackWords(why, detail);
}
