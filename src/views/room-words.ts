import { shellWord } from '../core/shell-word.ts';
import type { CheckAnswer, TestCounts } from '../core/evidence.ts';
import type { Level, Spec, State } from '../core/loop.ts';
import { lackText, signText } from '../core/prompt-room.ts';
import type { JudgeChange, RoomBaseline, RoomFit, RoomLack, Sign } from '../core/room.ts';
import { excerptLines } from './check-excerpt.ts';
import { oneLine } from './printable.ts';

const PATH_CHARS_MAX = 200;
const NAME_CHARS_MAX = 80;
const TEXT_CHARS_MAX = 160;
const NAMES_MAX = 5;
const EXCERPT_LINES_MAX = 6;

/** How a completion was verified, in the words that every command uses. */
export const LEVEL_WORDS: Readonly<Record<Level, string>> = {
  room: 'clean room',
  tree: 'work tree only',
  approval: 'approval',
};

/** Follows the name of a check that is running now. */
export function whereWords(where: 'room' | undefined): string {
  return where === undefined ? '' : ` (${LEVEL_WORDS.room})`;
}

/** `test/add.test.js modified`, `package.json (scripts/test) modified` */
export function changeLine({ path, part, change, stands }: JudgeChange): string {
  const of = part === undefined ? '' : ` (${oneLine(part, PATH_CHARS_MAX)})`;
  const kept = stands === true ? '; it could not be restored' : '';
  return `${oneLine(path, PATH_CHARS_MAX)}${of} ${change}${kept}`;
}

/** `src/add.js:3 ends the process when it is loaded: process.exit(0)` */
export function signLine({ path, line, code, text }: Sign): string {
  return `${oneLine(path, PATH_CHARS_MAX)}:${line} ${signText(code)}: ${oneLine(text, TEXT_CHARS_MAX)}`;
}

export function lackWords(why: RoomLack, detail: string): string {
  return `${lackText(why)}${detail === '' ? '' : `: ${oneLine(detail, TEXT_CHARS_MAX)}`}`;
}

/** Why nothing was proven in a room. */
export function lostWords(why: RoomLack, detail: string): string {
  if (why === 'work-changed')
    return `the project changed while the clean room judged it (${oneLine(detail, PATH_CHARS_MAX)})`;
  return `no clean room could be made (${lackWords(why, detail)})`;
}

/** How to make a room possible. */
function lackAdvice(why: RoomLack): string {
  switch (why) {
    case 'git-missing':
      return 'install git: the clean room needs it, even when the project is not a repository';
    case 'not-supported':
      return '--no-room hides this message';
    case 'too-large':
      return 'let git ignore large folders that the checks do not need, or use --no-room';
    case 'too-slow':
      return 'use faster checks, or --no-room';
    case 'no-space':
      return 'free some space, set TIRELESS_HOME to a folder on a larger disk, or use --no-room';
    case 'not-readable':
      return 'make these files readable, let git ignore them, or use --no-room';
    case 'files-vanish':
      return 'stop whatever writes and deletes these files, let git ignore them, or use --no-room';
    case 'setup-failed':
      return 'try the --room-setup command in a fresh clone of the project';
    case 'program-changed':
      return 'if you updated git, start the loop again';
    case 'work-changed':
      return 'end what writes these files, or let git ignore them';
    case 'baseline-lost':
    case 'baseline-changed':
    case 'failed':
      return '"tireless doctor" examines this machine; --no-room skips the clean room';
  }
}

/** `12 tests ran, 2 skipped, 12 at the start` */
export function testsWords(tests: TestCounts, before?: TestCounts): string {
  const skipped = tests.skipped > 0 ? `, ${tests.skipped} skipped` : '';
  const start = before === undefined ? '' : `, ${before.ran} at the start`;
  return `${tests.ran === 1 ? '1 test' : `${tests.ran} tests`} ran${skipped}${start}`;
}

/** Why a completion was not proven in the clean room although its checks passed; `null` = it was, or it does not depend on a check. */
export function whyNoRoom(spec: Spec, state: State): string | null {
  const { outcome, room } = state;
  if (outcome?.kind !== 'completed' || !outcome.verified || outcome.level === 'room') return null;
  if (outcome.level === 'approval') return null;
  if (spec.room === undefined || room === undefined)
    return spec.checks.length === 0 ? null : 'the loop has no clean room';
  if (room.kind === 'none') return lackWords(room.why, room.detail);
  const hidden = holdoutNames(spec);
  if (spec.dialect !== undefined && room.fits.every((fit) => fit.fit))
    return 'a state-file loop begins at its first stop, so files that judge the work count as they were then';
  return `it does not work for ${namesOf(room.fits.filter((fit) => !fit.fit).map((fit) => shownName(fit.name, hidden)))}`;
}

export function holdoutNames(spec: Spec): readonly string[] {
  return spec.checks.filter((check) => check.holdout).map((check) => check.name);
}

/** What the user has to know about the room before the agent begins; empty if every check works in it. */
export function roomWarnings(baseline: RoomBaseline, holdouts: readonly string[] = []): readonly string[] {
  if (baseline.kind === 'none')
    return [
      `no clean room: ${lackWords(baseline.why, baseline.detail)}; the finish will be verified in the work tree only`,
      `  ${lackAdvice(baseline.why)}`,
    ];
  const { fits, trial, unmatched = [], ignored = [] } = baseline;
  return [
    ...(trial === undefined
      ? []
      : ['the checks are still being tried in the clean room; "tireless status" shows the result later']),
    ...fits.filter((fit) => !fit.fit).flatMap((fit) => unfitLines(fit, ignored, holdouts)),
    ...(unmatched.length === 0 ? [] : [`no file matches ${namesOf(unmatched)} (--protect, --free or --room-keep)`]),
  ];
}

function unfitLines(fit: RoomFit, ignored: readonly string[], holdouts: readonly string[]): readonly string[] {
  const isHidden = holdouts.includes(fit.name);
  const { tail = '', result = 'unknown' } = fit;
  const excerpt = isHidden
    ? []
    : excerptLines({ tail, result }, { linesMax: EXCERPT_LINES_MAX, charsMax: TEXT_CHARS_MAX });
  return [
    `the clean room does not work for ${shownName(fit.name, holdouts)} (${resultInRoom(fit)}): it is judged in the work tree only`,
    ...excerpt.map((line) => `  | ${line}`),
    ...adviceFor(fit, ignored).map((line) => `  ${line}`),
  ];
}

const RESULTS_IN_ROOM: Readonly<Record<CheckAnswer, string>> = {
  passed: 'it passes there, but with a different result or different tests than in the project',
  failed: 'it fails there, but with a different result or different tests than in the project',
  unknown: 'it gives no result there',
};

function resultInRoom({ because, by, result }: RoomFit): string {
  if (because === 'timed-out') return 'it timed out there';
  if (because !== 'leads-out') return RESULTS_IN_ROOM[result ?? 'unknown'];
  return `${by === undefined ? 'its command' : oneLine(by, PATH_CHARS_MAX)} points back into the project`;
}

/** Printed by a check when the disk of the room is full. */
const FULL = /\bno space left on device\b|\bENOSPC\b|\bdisk quota exceeded\b/i;

/** The flag that may make the check work in the room. */
function adviceFor(fit: RoomFit, ignored: readonly string[]): readonly string[] {
  const { because, by, tail = '' } = fit;
  if (because === 'timed-out')
    return [
      'try a longer --check-timeout; if it waits for something that is missing there, --room-keep or --room-setup',
    ];
  if (because === 'leads-out' && by === undefined) return ['use relative paths in the command'];
  if (because === 'leads-out') return ['use relative paths in that file, or a copy instead of a link'];
  if (FULL.test(tail)) return [lackAdvice('no-space')];
  return [missingAdvice(tail, ignored)];
}

/** A path named in the output is the likely cause. */
function missingAdvice(tail: string, ignored: readonly string[]): string {
  if (/not a git repository/i.test(tail))
    return 'the clean room is not a git repository: try --room-setup "git init -q && git add -A && git commit -q -m room"';
  const setup = '--room-setup "npm run build" (or whatever builds it)';
  const named = ignored.find((file) => tail.includes(file.replace(/\/$/, '')));
  if (named !== undefined) return `git ignores ${pathWord(named)}: try --room-keep ${pathWord(named)}, or ${setup}`;
  const [first] = ignored;
  if (first === undefined)
    return `if it needs something that is built or installed first, try ${setup}; if it works only in the project folder, use --no-room`;
  return `git ignores ${namesOf(ignored.map(pathWord))}: if it needs one of them, try --room-keep ${pathWord(first)}, or ${setup}`;
}

/** The flag of a new loop that would have avoided this pause; `null` = there is none. */
export function reviewAdvice({ plan, pause, room, roomChecks = [] }: State): string | null {
  if (pause?.cause !== 'review') return null;
  const { unmet } = plan;
  const file = unmet.find((what) => what.kind === 'judge-file' && what.part === undefined && what.stands !== true);
  if (file?.kind === 'judge-file')
    return `if the goal is to change such files, start with --free ${pathWord(file.path)}, so that they do not judge the work`;
  const fails = unmet.find((what) => what.kind === 'room' && what.doubt === 'fails');
  if (fails?.kind !== 'room' || unmet.some((what) => what.kind === 'judge-file' || what.kind === 'sign')) return null;
  const tail = fails.holdout === true ? '' : (roomChecks.find(({ name }) => name === fails.name)?.tail ?? '');
  if (FULL.test(tail)) return 'the disk of the clean room is full: free some space, and resume the loop';
  return missingAdvice(tail, (room?.kind === 'kept' ? room.ignored : undefined) ?? []);
}

/** As one shell word. */
function pathWord(file: string): string {
  return shellWord(oneLine(file, PATH_CHARS_MAX));
}

export function shownName(name: string, holdouts: readonly string[]): string {
  return holdouts.includes(name) ? 'a hold-out check' : `"${oneLine(name, NAME_CHARS_MAX)}"`;
}

export function namesOf(all: readonly string[]): string {
  const shown = all.slice(0, NAMES_MAX).map((name) => oneLine(name, PATH_CHARS_MAX));
  return all.length > shown.length ? `${shown.join(', ')} and ${all.length - shown.length} more` : shown.join(', ');
}
