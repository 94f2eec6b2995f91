import { shortOutput } from './failing-part/failing-part.ts';
import type { Unmet } from './decision.ts';
import type { State } from './loop.ts';
import { NAME_BYTES_MAX, PATH_BYTES_MAX } from './prompt-limits.ts';
import { bytesOf, codeSpan, fencedTail, listWithin, oneLine } from './quoting.ts';
import type { JudgeChange, RoomLack, SignCode } from './room.ts';

const LINE_BYTES_MAX = 200;
const CHECKS_BYTES_MAX = 9000;
const CHECK_BYTES_MAX = 3000;
const CHECKS_SHOWN_MAX = 6;
const LIST_BYTES_MAX = 2000;

const STAND_BY = 'If it is right as it is, leave it and end your turn the same way: a person then decides.';

const INSTALLED = /(?:^|\/)node_modules\//;
const PACKAGES =
  "Packages must be as they were, or as `package-lock.json` pins them; the runner and what it needs must not change. If they have to, a person can start the loop with `--room-setup 'npm ci'`, which installs what the lock file says.";

const REREAD = 'Reread the whole goal:';

/** All that the agent learns of a hold-out check. `fails`: one of them fails; otherwise something hidden is not met. */
export function hiddenText(fails: boolean): string {
  return fails
    ? `Every check that you can see passes, but a hidden check fails: your work fits the visible tests, not the goal. ${REREAD} do what it asks for in every case it covers. The hidden check is not in the project; do not search for it.`
    : `The work is not accepted yet. ${REREAD} something it asks for is missing or wrong.`;
}

/** What the clean room contradicts, for the agent. Nothing about hold-out checks. `linesMax`: for the output of each check. */
export function roomPart(unmet: readonly Unmet[], state: State, linesMax: number = Infinity): string[] {
  return [...checksPart(unmet, state, linesMax), ...filesPart(unmet), ...signsPart(unmet), ...lostPart(unmet)];
}

type RoomUnmet = Unmet & { readonly kind: 'room' };

function checksPart(unmet: readonly Unmet[], state: State, linesMax: number): string[] {
  const shown = unmet.filter((what): what is RoomUnmet => what.kind === 'room' && what.holdout !== true);
  if (shown.length === 0) return [];
  const lead =
    'Your work passes in the project, but not in a clean copy of it: your files as a commit would contain them (nothing that git ignores), with the tests and their configuration as they were at the start.';
  const first = shown.slice(0, CHECKS_SHOWN_MAX);
  const share = Math.min(CHECK_BYTES_MAX, Math.floor(CHECKS_BYTES_MAX / first.length));
  const rest = shown.length > first.length ? [`And ${shown.length - first.length} more checks.`] : [];
  return [lead, ...first.map((what) => checkText(what, state, { bytesMax: share, linesMax })), ...rest];
}

function checkText(
  what: RoomUnmet,
  state: State,
  { bytesMax, linesMax }: { readonly bytesMax: number; readonly linesMax: number },
): string {
  const sentence = `There the check ${codeSpan(what.name, NAME_BYTES_MAX)} ${doubtText(what)}.`;
  const tail = state.roomChecks?.find((check) => check.name === what.name)?.tail ?? '';
  if (tail.trim() === '') return sentence;
  const text = `${sentence} From its output there:\n\n`;
  return (
    text + fencedTail(linesMax === Infinity ? tail.trimEnd() : shortOutput(tail, linesMax), bytesMax - bytesOf(text))
  );
}

function doubtText({ doubt, before = 0, now = 0 }: RoomUnmet): string {
  switch (doubt) {
    case 'fails':
      return 'fails';
    case 'no-answer':
      return 'gave no answer';
    case 'no-count':
      return `passes without reporting how many tests ran; ${before} ran before`;
    case 'no-tests':
      return 'passes, but not one test ran';
    case 'fewer-tests':
      return `passes, but only ${now} of ${before} tests ran`;
    case 'more-skipped':
      return `passes, but skips ${now} tests; before it skipped ${before}`;
    case 'failed-tests':
      return `exits 0, but its summary reports ${now} failed ${now === 1 ? 'test' : 'tests'}`;
    case 'cannot-fail':
      return 'passes, but something in your changes keeps tests from failing: tests that were planted to fail, or whose expected values were changed, passed too';
  }
}

function filesPart(unmet: readonly Unmet[]): string[] {
  const files = unmet.filter((what) => what.kind === 'judge-file');
  if (files.length === 0) return [];
  return [
    `These files judge the work, and you changed them:\n\n${listWithin(files.map(changeText), LIST_BYTES_MAX)}`,
    ...(files.some(({ path }) => INSTALLED.test(path)) ? [PACKAGES] : []),
    `Restore them, and pass the original tests. ${STAND_BY}`,
  ];
}

export function changeText({ path, change, part }: JudgeChange): string {
  return `${codeSpan(path, PATH_BYTES_MAX)}${part === undefined ? '' : ` (${oneLine(part, NAME_BYTES_MAX)})`}: ${change}`;
}

function signsPart(unmet: readonly Unmet[]): string[] {
  const lines = unmet.flatMap((what) =>
    what.kind === 'sign'
      ? [
          `${codeSpan(`${what.path}:${what.line}`, PATH_BYTES_MAX)} ${signText(what.code)}: ${codeSpan(oneLine(what.text, LINE_BYTES_MAX), LINE_BYTES_MAX)}`,
        ]
      : [],
  );
  if (lines.length === 0) return [];
  return [
    `These lines look written for the tests, not for the goal:\n\n${listWithin(lines, LIST_BYTES_MAX)}`,
    `Replace them with code that does what the goal asks for. ${STAND_BY}`,
  ];
}

export function signText(code: SignCode): string {
  switch (code) {
    case 'patches-tests':
      return 'changes the test framework';
    case 'patches-builtins':
      return 'changes what the language or its library does';
    case 'imports-tests':
      return 'uses the test framework in product code';
    case 'exits-early':
      return 'ends the process when it is loaded';
    case 'looks-for-tests':
      return 'detects that it is being tested';
    case 'reads-tests':
      return 'reads the test files';
    case 'equals-all':
      return 'equals everything';
    case 'counts-calls':
      return 'depends on the number of calls';
    case 'prints-summary':
      return 'prints the summary of a test runner';
    case 'leaves-project':
      return 'loads code from outside the project';
    case 'silences-check':
      return 'keeps a check from seeing this code';
    case 'tests-removed':
      return 'removes tests';
    case 'tests-skipped':
      return 'skips tests';
    case 'assertion-emptied':
      return 'asserts nothing';
  }
}

function lostPart(unmet: readonly Unmet[]): string[] {
  return unmet.flatMap((what) => (what.kind === 'room-lost' ? [`${lostText(what)} ${STAND_BY}`] : []));
}

function lostText({ why, detail }: Unmet & { readonly kind: 'room-lost' }): string {
  if (why === 'work-changed')
    return `While a clean copy of your work was judged, ${codeSpan(detail, PATH_BYTES_MAX)} changed in the project, so nothing is proven about the work as it is now. Nothing that your checks run may write there by its full path.`;
  return `A clean copy of your work could not be made (${lackText(why)}), so nothing is proven.`;
}

export function lackText(why: RoomLack): string {
  switch (why) {
    case 'git-missing':
      return 'git is not installed';
    case 'not-supported':
      return 'this system is not supported';
    case 'too-large':
      return 'the project is too large';
    case 'too-slow':
      return 'the hook had no time for it';
    case 'no-space':
      return 'the disk is full';
    case 'not-readable':
      return 'some files cannot be read';
    case 'files-vanish':
      return 'files were deleted while it was made';
    case 'setup-failed':
      return 'its setup command failed';
    case 'baseline-lost':
      return 'the copy kept at the start is missing or damaged';
    case 'baseline-changed':
      return 'someone tampered with the copy kept at the start';
    case 'program-changed':
      return 'git was replaced';
    case 'work-changed':
      return 'files changed while it was judged';
    case 'failed':
      return 'something went wrong';
  }
}
