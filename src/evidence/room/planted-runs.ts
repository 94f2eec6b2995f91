import type { CheckResult, TestCounts } from '../../core/evidence.ts';
import type { CheckSpec } from '../../core/loop.ts';
import type { PlantedRun, RoomBaseline, RoomRun } from '../../core/room.ts';
import { fitOf, roomAnswer } from '../../core/room.ts';
import type { Steps } from '../command-steps.ts';
import type { PlantedFile } from '../planted/plant-tests.ts';
import { isBinary, plantTests, planterOf, hasOuterEffects } from '../planted/plant-tests.ts';
import { isSameEntry, LINK_MODE } from './file-list.ts';
import type { Material, RoomSite } from './furnish.ts';
import { furnish } from './furnish.ts';
import { removeRoom } from './make-room.ts';
import type { Lack } from './read-work.ts';
import { isLack } from './read-work.ts';
import type { Runs, RunsRequest } from './room-runs.ts';
import { runAgain, runChecks } from './room-runs.ts';
import type { Changes } from './room-signs.ts';
import { readTexts } from './room-signs.ts';
import { runOne } from './run-in-room.ts';

const FILES_MAX = 400;
/** All titles of failed tests are searched for in it. */
const TAIL_BYTES_MAX = 64 * 1024;
/**
 * A test that fails may leave a server open, and its runner then waits for it. So these runs get a multiple of the check's usual time and
 * some seconds more, not the time after which a check is ended. One that is cut shows nothing.
 */
const USUAL_FACTOR = 5;
const EXTRA_MS = 20_000;

/**
 * When the checks run as they are, twice: 0 = before the runs with tests that must fail, 1 = between them, 2 = after them. Product code can
 * count the runs in a file, so chance decides which of them is which, and in none of these orders do the runs of one kind come first.
 */
const ORDERS: readonly (readonly number[])[] = [
  [0, 2],
  [0, 1],
  [1, 1],
  [1, 2],
];

/**
 * Runs the checks, and those that report how many tests they ran once more with tests that must fail, and once more as they are. Only if the
 * agent's code could keep a test from failing: code that reaches nothing but its own values costs nothing.
 */
export function* runWithPlanted(
  site: RoomSite,
  material: Material,
  asked: RunsRequest & { readonly changes: Changes },
): Steps<Runs | Lack> {
  const planting = yield* preparePlanting(site, material, asked.changes);
  if (planting === undefined) return yield* runChecks(site, material, asked);
  const order = ORDERS[site.world.draw?.(ORDERS.length) ?? 0] ?? [];
  const done: { ran?: Runs | Lack } = {};
  const runAt = function* (place: number): Steps<void> {
    for (const _ of order.filter((each) => each === place)) {
      if (done.ran === undefined) done.ran = yield* runChecks(site, material, asked);
      else if (!isLack(done.ran))
        done.ran = yield* runAgain(site, material, { ...asked, checks: countedIn(asked, done.ran.runs) }, done.ran);
    }
  };
  yield* runAt(0);
  const known = done.ran === undefined || isLack(done.ran) ? undefined : done.ran.runs;
  const early = yield* runVersions(planting, briefly(countedIn(asked, known), known), () => runAt(1));
  yield* runAt(2);
  const ran = done.ran ?? (yield* runChecks(site, material, asked));
  if (isLack(ran)) return ran;
  // Cut before the usual time was known: not yet an answer.
  const isAnswer = ([, run]: readonly [string, PlantedRun]): boolean => known !== undefined || run.result !== 'unknown';
  const { runs, doubted } = yield* addPlanted(planting, asked, ran.runs, new Map([...early].filter(isAnswer)));
  // Whatever kept the tests from failing the first time may have been at work in the other runs, too.
  return yield* runAgain(site, material, { ...asked, checks: doubted }, { ...ran, runs });
}

/** Checks that report how many tests they ran and, if `runs` are known, passed. Before that, the start shows which ones report it. */
function countedIn({ checks, baseline }: RunsRequest, runs?: readonly RoomRun[]): readonly CheckSpec[] {
  const isCounted = ({ name }: CheckSpec): boolean => {
    if (runs === undefined) return (fitOf(baseline, name)?.tests?.ran ?? 0) > 0;
    const run = runs.find((each) => each.name === name);
    return (run?.judged.tests?.ran ?? 0) > 0 && run !== undefined && isPassed(run, baseline);
  };
  return checks.filter((check) => !check.holdout && isCounted(check));
}

/** The same checks, which are ended soon after their usual time. */
export function briefly(checks: readonly CheckSpec[], runs: readonly RoomRun[] = []): readonly CheckSpec[] {
  return checks.map((check) => {
    const usualMs = runs.find(({ name }) => name === check.name)?.judged.durationMs ?? 0;
    return { ...check, timeoutMs: Math.min(check.timeoutMs, usualMs * USUAL_FACTOR + EXTRA_MS) };
  });
}

function isPassed(run: RoomRun, baseline: RoomBaseline): boolean {
  return roomAnswer(run, fitOf(baseline, run.name)).result === 'passed';
}

function* addPlanted(
  planting: Planting,
  asked: RunsRequest,
  runs: readonly RoomRun[],
  early: ReadonlyMap<string, PlantedRun>,
): Steps<{ readonly runs: readonly RoomRun[]; readonly doubted: readonly CheckSpec[] }> {
  const passed = briefly(countedIn(asked, runs), runs);
  const late = yield* runVersions(
    planting,
    passed.filter(({ name }) => !early.has(name)),
  );
  const first = new Map([...early, ...late].filter(([name]) => passed.some((check) => check.name === name)));
  const isSuspect = (run: RoomRun): boolean => {
    const planted = first.get(run.name);
    return planted !== undefined && !isPassed({ ...run, planted }, asked.baseline);
  };
  // A flaky test must not look like one that was kept from failing.
  const doubted = passed.filter(({ name }) => runs.some((run) => run.name === name && isSuspect(run)));
  const second = yield* runVersions(planting, doubted);
  const withPlanted = runs.map((run) => {
    const [one, two] = [first.get(run.name), second.get(run.name)];
    if (one === undefined) return run;
    return { ...run, planted: two === undefined ? one : betterRun(one, two) };
  });
  return { runs: withPlanted, doubted: asked.checks.filter(({ name }) => doubted.some((each) => each.name === name)) };
}

/** `undefined`: no test has to be planted, or none can be. */
function* preparePlanting(site: RoomSite, material: Material, changes: Changes): Steps<Planting | undefined> {
  if (!mayReachOut(material, changes)) return undefined;
  const planted = plantTests(yield* testTexts(material));
  return planted.size === 0 ? undefined : { site, material, planted };
}

/** Could the agent's code keep a test from failing? */
export function mayReachOut(material: Material, { files, unread }: Changes): boolean {
  return hasOuterEffects(files) || unread.some(planterOf) || hasNewBinary(material);
}

type Planting = {
  readonly site: RoomSite;
  readonly material: Material;
  readonly planted: ReadonlyMap<string, PlantedFile>;
};

/** The one of two runs that favours the work. */
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

/** `between`: runs after the first of them. */
function* runVersions(
  room: Planting,
  checks: readonly CheckSpec[],
  between?: () => Steps<void>,
): Steps<ReadonlyMap<string, PlantedRun>> {
  const wrong = yield* runAll(room, 'wrong', checks);
  if (between !== undefined) yield* between();
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

function runAll(
  { site, material, planted }: Planting,
  version: 'wrong' | 'raising' | 'broken',
  checks: readonly CheckSpec[],
): Steps<ReadonlyMap<string, CheckResult>> {
  return runWith({ site, material }, new Map([...planted].map(([file, made]) => [file, made[version]])), checks);
}

/** Runs checks in a room with these texts. The failures are intended, so nobody should see them as results of the check. */
export function* runWith(
  { site, material }: Pick<Planting, 'site' | 'material'>,
  texts: ReadonlyMap<string, string>,
  checks: readonly CheckSpec[],
): Steps<ReadonlyMap<string, CheckResult>> {
  if (checks.length === 0) return new Map();
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
