import type { CheckSpec } from '../../core/loop.ts';
import type { RoomBaseline, RoomRun, Sign } from '../../core/room.ts';
import { fitOf, roomAnswer } from '../../core/room.ts';
import type { Steps } from '../command-steps.ts';
import { withJudgeParts } from '../judge/parts.ts';
import type { ForcedMode } from '../signs/modes.ts';
import { elsewhere, elsewhereInManifest } from '../signs/modes.ts';
import { hasColors, showsTerminal } from '../signs/terminal.ts';
import { showsCompileError } from './compile-errors.ts';
import { mixedFiles } from './compose-room.ts';
import type { Material, RoomSite } from './furnish.ts';
import { furnish } from './furnish.ts';
import { removeRoom } from './make-room.ts';
import type { Changes } from './room-signs.ts';
import { runOne } from './run-in-room.ts';

type Asked = {
  readonly checks: readonly CheckSpec[];
  readonly baseline: RoomBaseline;
  readonly runs: readonly RoomRun[];
  readonly changes: Changes;
};

const TEXT_CHARS_MAX = 300;

/**
 * If the agent's new lines query the test mode, runs checks that passed once more, with these lines rewritten as if there were no test. A
 * check that then fails passes only because it is a test.
 */
export function* signsOfModes(
  site: RoomSite,
  material: Material,
  { checks, baseline, runs, changes }: Asked,
): Steps<readonly Sign[]> {
  const passed = checks.filter((check) =>
    runs.some((run) => run.name === check.name && roomAnswer(run, fitOf(baseline, run.name)).result === 'passed'),
  );
  if (passed.length === 0) return [];
  const asked = withTests(passed, runs);
  // What is printed on a terminal looks different there, and tests of that fail: then the other lines alone must show it.
  for (const terminal of [true, false]) {
    const found = new Map<string, ForcedMode>([...inSources(changes, terminal), ...inManifests(material)]);
    if (found.size === 0) return [];
    const answer = yield* answerTo(site, material, asked, found);
    if (answer.kind === 'passes') return [];
    if (terminal && answer.looksDifferent) continue;
    // Twice, because a check may be flaky.
    return (yield* answerTo(site, material, asked, found)).kind === 'fails' ? signsFor(found) : [];
  }
  return [];
}

function signsFor(found: ReadonlyMap<string, ForcedMode>): readonly Sign[] {
  return [...found].map(([path, { line, quoted }]) => ({
    code: 'looks-for-tests',
    path,
    line,
    text: quoted.slice(0, TEXT_CHARS_MAX),
  }));
}

/** `isColored`: its output has colors anyway. */
type AskedCheck = { readonly check: CheckSpec; readonly counts: boolean; readonly isColored: boolean };

type Answer = { readonly kind: 'passes' } | { readonly kind: 'fails'; readonly looksDifferent: boolean };

/** A check that only reads the text, such as a linter, judges the rewritten lines and not what they do. */
function withTests(passed: readonly CheckSpec[], runs: readonly RoomRun[]): readonly AskedCheck[] {
  const all = passed.map((check) => {
    const run = runs.find(({ name }) => name === check.name);
    const result = run?.withAdded ?? run?.judged;
    return { check, counts: result?.tests !== undefined, isColored: hasColors(result?.tail ?? '') };
  });
  const counting = all.filter(({ counts }) => counts);
  return counting.length > 0 ? counting : all;
}

function inSources({ files }: Changes, terminal: boolean): readonly (readonly [string, ForcedMode])[] {
  const product = files.flatMap(({ isTest, after }) => (isTest || after === undefined ? [] : [after]));
  return files.flatMap(({ path, isTest, before, after }) => {
    const made = isTest || after === undefined ? undefined : elsewhere(path, before, after, { product, terminal });
    return made === undefined ? [] : [[path, made] as const];
  });
}

function inManifests(material: Material): readonly (readonly [string, ForcedMode])[] {
  const { textOf } = material;
  return mixedFiles(material).flatMap((file) => {
    const [before, work] = [textOf(file, 'baseline'), textOf(file, 'work')];
    if (!/(?:^|\/)package\.json$/.test(file) || work === undefined) return [];
    const text = withJudgeParts(file, work, before).text;
    const made = text === undefined ? undefined : elsewhereInManifest(before, text);
    return made === undefined ? [] : [[file, made] as const];
  });
}

/** These failures are our own doing, so they are not shown as results of the check. */
function* answerTo(
  site: RoomSite,
  material: Material,
  checks: readonly AskedCheck[],
  found: ReadonlyMap<string, ForcedMode>,
): Steps<Answer> {
  const texts = new Map([...found].map(([file, { text }]) => [file, text]));
  let said: string | undefined;
  const onCheck: RoomSite['onCheck'] = (_name, _result, output) => (said = output);
  const made = yield* furnish({ ...site, onCheck }, material, 'judged', texts);
  if (made.kind === 'lack') return { kind: 'passes' };
  try {
    for (const { check, counts, isColored } of checks) {
      const { result, tests, tail } = yield* runOne(made.request, check);
      if (result !== 'failed') continue;
      // If no test ran, something before the tests failed: a linter of the same command, or a compiler that cannot read the rewritten
      // lines.
      if ((!counts || tests !== undefined) && !showsCompileError(said ?? tail))
        return { kind: 'fails', looksDifferent: showsTerminal(said ?? tail, isColored) };
    }
    return { kind: 'passes' };
  } finally {
    removeRoom(made.request.room.dir);
  }
}
