import type { CheckSpec } from '../../core/loop.ts';
import type { RoomBaseline, RoomRun, Sign } from '../../core/room.ts';
import { fitOf, roomAnswer } from '../../core/room.ts';
import type { Steps } from '../command-steps.ts';
import { withJudgeParts } from '../judge/parts.ts';
import type { Elsewhere } from '../signs/modes.ts';
import { elsewhere, elsewhereInManifest } from '../signs/modes.ts';
import { showsCompileError } from './compile-errors.ts';
import { mixedFiles } from './compose-room.ts';
import type { Material, Site } from './furnish.ts';
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
 * One more run for checks that passed, if the agent's new lines ask for the mode of tests: with these lines rewritten as if nobody tested. A check that
 * fails then passes only because it is one.
 */
export function* signsOfModes(
  site: Site,
  material: Material,
  { checks, baseline, runs, changes }: Asked,
): Steps<readonly Sign[]> {
  const found = new Map<string, Elsewhere>([...inSources(changes), ...inManifests(material)]);
  const passed = checks.filter((check) =>
    runs.some((run) => run.name === check.name && roomAnswer(run, fitOf(baseline, run.name)).result === 'passed'),
  );
  if (found.size === 0 || passed.length === 0) return [];
  const asked = withTests(passed, runs);
  // Twice, because a check may be flaky.
  const isBroken = (yield* fails(site, material, asked, found)) && (yield* fails(site, material, asked, found));
  if (!isBroken) return [];
  return [...found].map(([path, { line, quoted }]) => ({
    code: 'looks-for-tests',
    path,
    line,
    text: quoted.slice(0, TEXT_CHARS_MAX),
  }));
}

type AskedCheck = { readonly check: CheckSpec; readonly counts: boolean };

/** A check of the text alone, such as a linter, answers for the rewritten lines and not for what they do. */
function withTests(passed: readonly CheckSpec[], runs: readonly RoomRun[]): readonly AskedCheck[] {
  const all = passed.map((check) => {
    const run = runs.find(({ name }) => name === check.name);
    return { check, counts: (run?.withAdded ?? run?.judged)?.tests !== undefined };
  });
  const counting = all.filter(({ counts }) => counts);
  return counting.length > 0 ? counting : all;
}

function inSources({ files }: Changes): readonly (readonly [string, Elsewhere])[] {
  const product = files.flatMap(({ isTest, after }) => (isTest || after === undefined ? [] : [after]));
  return files.flatMap(({ path, isTest, before, after }) => {
    const made = isTest || after === undefined ? undefined : elsewhere(path, before, after, product);
    return made === undefined ? [] : [[path, made] as const];
  });
}

function inManifests(material: Material): readonly (readonly [string, Elsewhere])[] {
  const { textOf } = material;
  return mixedFiles(material).flatMap((file) => {
    const [before, work] = [textOf(file, 'baseline'), textOf(file, 'work')];
    if (!/(?:^|\/)package\.json$/.test(file) || work === undefined) return [];
    const text = withJudgeParts(file, work, before).text;
    const made = text === undefined ? undefined : elsewhereInManifest(before, text);
    return made === undefined ? [] : [[file, made] as const];
  });
}

/** These failures are nobody's: they are not shown as results of the check. */
function* fails(
  site: Site,
  material: Material,
  checks: readonly AskedCheck[],
  found: ReadonlyMap<string, Elsewhere>,
): Steps<boolean> {
  const texts = new Map([...found].map(([file, { text }]) => [file, text]));
  let said: string | undefined;
  const onCheck: Site['onCheck'] = (_name, _result, output) => (said = output);
  const made = yield* furnish({ ...site, onCheck }, material, 'judged', texts);
  if (made.kind === 'lack') return false;
  try {
    for (const { check, counts } of checks) {
      const { result, tests, tail } = yield* runOne(made.request, check);
      if (result !== 'failed') continue;
      // Without tests, something before them failed: a linter of the same command, or a compiler that cannot read the rewritten lines.
      if ((!counts || tests !== undefined) && !showsCompileError(said ?? tail)) return true;
    }
    return false;
  } finally {
    removeRoom(made.request.room.dir);
  }
}
