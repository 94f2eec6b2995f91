import type { CheckResult, TestCounts } from '../../core/evidence.ts';
import type { CheckSpec } from '../../core/loop.ts';
import type { PlantedRun, RoomBaseline, RoomRun } from '../../core/room.ts';
import { fitOf, roomAnswer } from '../../core/room.ts';
import type { Steps } from '../command-steps.ts';
import type { PlantedFile } from '../planted/plant-tests.ts';
import { isBinary, plantTests, planterOf, reachesOut } from '../planted/plant-tests.ts';
import { isSameEntry, LINK_MODE } from './file-list.ts';
import type { Material, Site } from './furnish.ts';
import { furnish } from './furnish.ts';
import { removeRoom } from './make-room.ts';
import type { Changes } from './room-signs.ts';
import { readTexts } from './room-signs.ts';
import { runOne } from './run-in-room.ts';

const FILES_MAX = 400;
/** All titles of failed tests are searched for in it. */
const TAIL_BYTES_MAX = 64 * 1024;

type Asked = { readonly checks: readonly CheckSpec[]; readonly baseline: RoomBaseline };

/**
 * One more run with tests that must fail, for checks that passed and report how many tests they ran. Only if the agent's code could keep a test from
 * failing: code that reaches nothing but its own values costs nothing.
 */
export function* runPlanted(
  site: Site,
  material: Material,
  { checks, baseline, runs, changes }: Asked & { readonly runs: readonly RoomRun[]; readonly changes: Changes },
): Steps<readonly RoomRun[]> {
  const isAsked = (run: RoomRun): boolean =>
    (run.judged.tests?.ran ?? 0) > 0 && roomAnswer(run, fitOf(baseline, run.name)).result === 'passed';
  const asked = checks.filter((check) => !check.holdout && runs.some((run) => run.name === check.name && isAsked(run)));
  const mayReach = reachesOut(changes.files) || changes.unread.some(planterOf) || hasNewBinary(material);
  if (asked.length === 0 || !mayReach) return runs;
  const planted = plantTests(yield* testTexts(material));
  if (planted.size === 0) return runs;
  const room: Planting = { site, material, planted };
  const first = yield* runVersions(room, asked);
  const isSuspect = (run: RoomRun): boolean => {
    const found = first.get(run.name);
    return found !== undefined && roomAnswer({ ...run, planted: found }, fitOf(baseline, run.name)).result !== 'passed';
  };
  // A flaky test must not look like one that was kept from failing.
  const doubted = asked.filter(({ name }) => runs.some((run) => run.name === name && isSuspect(run)));
  const second = yield* runVersions(room, doubted);
  return runs.map((run) => {
    const [one, two] = [first.get(run.name), second.get(run.name)];
    if (one === undefined) return run;
    return { ...run, planted: two === undefined ? one : betterRun(one, two) };
  });
}

type Planting = {
  readonly site: Site;
  readonly material: Material;
  readonly planted: ReadonlyMap<string, PlantedFile>;
};

/** Of two runs, the one in favour of the work. */
function betterRun(one: PlantedRun, two: PlantedRun): PlantedRun {
  const [better, other] =
    two.result !== 'passed' && passedOf(two.tests) < passedOf(one.tests) ? [two, one] : [one, two];
  if (better.raising === undefined || passedOf(other.raising) <= passedOf(better.raising)) return better;
  return { ...better, ...(other.raising === undefined ? {} : { raising: other.raising }) };
}

function passedOf(tests: TestCounts | undefined): number {
  return tests === undefined ? 0 : tests.ran - tests.failed;
}

function hasNewBinary({ baseline, work, judge }: Material): boolean {
  return [...work].some(
    ([file, entry]) => isBinary(file) && !judge.isGenerated(file) && !isSameEntry(baseline.get(file), entry),
  );
}

function* testTexts(material: Material): Steps<ReadonlyMap<string, string>> {
  const files = [...material.baseline]
    .filter(([file, { mode }]) => mode !== LINK_MODE && material.judge.roleOf(file) === 'test' && planterOf(file))
    .slice(0, FILES_MAX);
  const texts = yield* readTexts(
    material,
    files.map(([, entry]) => entry),
  );
  return new Map(
    files.flatMap(([file, { blob }]) => (texts.has(blob) ? [[file, texts.get(blob) ?? ''] as const] : [])),
  );
}

function* runVersions(room: Planting, checks: readonly CheckSpec[]): Steps<ReadonlyMap<string, PlantedRun>> {
  const wrong = yield* runAll(room, 'wrong', checks);
  const passed = checks.filter(({ name }) => wrong.get(name)?.result === 'passed');
  const controls = yield* runAll(room, 'broken', passed);
  const failed = checks.filter(({ name }) => wrong.get(name)?.result === 'failed');
  const raising = yield* runAll(room, 'raising', failed);
  return new Map(
    [...wrong].map(([name, { result, tests, tail }]) => {
      const seen = [...room.planted.values()].filter(({ tag }) => tail.includes(String(tag)));
      const [control, raised] = [controls.get(name)?.result, raising.get(name)?.tests];
      const run: PlantedRun = {
        result,
        values: seen.reduce((sum, file) => sum + file.values, 0),
        ...(tests === undefined ? {} : { tests }),
        ...(raised === undefined ? {} : { raising: raised }),
        ...(control === undefined ? {} : { control }),
      };
      return [name, run];
    }),
  );
}

/** These failures are wanted: nobody should see them as results of the check. */
function* runAll(
  { site, material, planted }: Planting,
  version: 'wrong' | 'raising' | 'broken',
  checks: readonly CheckSpec[],
): Steps<ReadonlyMap<string, CheckResult>> {
  if (checks.length === 0) return new Map();
  const texts = new Map([...planted].map(([file, made]) => [file, made[version]]));
  const made = yield* furnish({ ...site, onCheck: () => undefined }, material, 'judged', texts);
  if (made.kind === 'lack') return new Map();
  try {
    const results = new Map<string, CheckResult>();
    for (const check of checks) results.set(check.name, yield* runOne(made.request, check, TAIL_BYTES_MAX));
    return results;
  } finally {
    removeRoom(made.request.room.dir);
  }
}
