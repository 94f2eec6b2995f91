import type { CheckResult } from '../../core/evidence.ts';
import type { CheckSpec } from '../../core/loop.ts';
import type { JudgeChange, RoomBaseline, RoomRun } from '../../core/room.ts';
import { fitOf, isOnlyLackingTests, roomAnswer } from '../../core/room.ts';
import type { Steps } from '../command-steps.ts';
import { judgePartsIn } from '../judge/parts.ts';
import type { RoomMode } from './compose-room.ts';
import { hasAdded, judgeChanges } from './compose-room.ts';
import type { Material, RoomSite } from './furnish.ts';
import { furnish } from './furnish.ts';
import { removeRoom } from './make-room.ts';
import type { Lack } from './read-work.ts';
import { isLack, readBlobs } from './read-work.ts';
import { runOne, tailShare } from './run-in-room.ts';
import { addedAround } from './surroundings.ts';
import type { WrittenFiles } from './watch-judge.ts';

export type RunsRequest = { readonly checks: readonly CheckSpec[]; readonly baseline: RoomBaseline };

/** `rewritten`: judge's files that had changed after a run. */
export type Runs = { readonly runs: readonly RoomRun[]; readonly rewritten: readonly JudgeChange[] };

/**
 * Runs the checks with the judge's files of the baseline. Only those that do not pass that way also run with the added tests, and with everything as
 * the agent left it.
 */
export function* runChecks(site: RoomSite, material: Material, asked: RunsRequest): Steps<Runs | Lack> {
  const rewritten = new Map<string, JudgeChange>();
  const rooms: Rooms = { site, material, known: writtenAtStart(asked), rewritten };
  const judged = yield* runMode(rooms, 'judged', asked.checks);
  if (isLack(judged)) return judged;
  const runs = judged.map((result): RoomRun => ({ name: result.name, judged: result }));
  const lacking = openIn(runs, asked).filter((check) => isLackingTests(runs, asked.baseline, check.name));
  const mayHelp = lacking.length > 0 && hasAdded(material, material.textOf);
  const withAdded = addRuns(runs, 'withAdded', mayHelp ? yield* runMode(rooms, 'with-added', lacking) : []);
  const open = openIn(withAdded, asked);
  const mayRest = open.length > 0 && judgeChanges(material, material.textOf).length > 0;
  const asLeft = mayRest ? yield* runMode(rooms, 'as-left', open) : [];
  return { runs: addRuns(withAdded, 'asLeft', asLeft), rewritten: [...rewritten.values()] };
}

function writtenAtStart({ baseline }: RunsRequest): WrittenFiles {
  return baseline.kind === 'kept' ? baseline : {};
}

/** Runs these checks once more, unseen. One that does not pass this time has not passed. */
export function* runAgain(site: RoomSite, material: Material, asked: RunsRequest, ran: Runs): Steps<Runs | Lack> {
  const rewritten = new Map(ran.rewritten.map((change) => [change.path, change]));
  const unseen = { ...site, onCheck: () => undefined };
  const rooms: Rooms = { site: unseen, material, known: writtenAtStart(asked), rewritten };
  const results = yield* runMode(rooms, 'judged', asked.checks);
  if (isLack(results)) return results;
  const runs = ran.runs.map((run): RoomRun => {
    const judged = results.find(({ name }) => name === run.name);
    if (judged === undefined) return run;
    const again = { ...run, judged };
    return roomAnswer(again, fitOf(asked.baseline, run.name)).result === 'passed' ? run : again;
  });
  return { runs, rewritten: [...rewritten.values()] };
}

function openIn(runs: readonly RoomRun[], { checks, baseline }: RunsRequest): readonly CheckSpec[] {
  const open = runs.filter((run) => roomAnswer(run, fitOf(baseline, run.name)).result !== 'passed');
  return checks.filter((check) => open.some((run) => run.name === check.name));
}

function isLackingTests(runs: readonly RoomRun[], baseline: RoomBaseline, name: string): boolean {
  const run = runs.find((candidate) => candidate.name === name);
  return run !== undefined && isOnlyLackingTests(run.judged, fitOf(baseline, name)?.tests);
}

/** A room that could not be made a second time adds nothing. */
function addRuns(
  runs: readonly RoomRun[],
  key: 'withAdded' | 'asLeft',
  results: readonly CheckResult[] | Lack,
): readonly RoomRun[] {
  if (isLack(results)) return runs;
  return runs.map((run) => {
    const result = results.find(({ name }) => name === run.name);
    return result === undefined ? run : { ...run, [key]: result };
  });
}

type Rooms = {
  readonly site: RoomSite;
  readonly material: Material;
  /** Judge's files that the checks of the untouched project write. */
  readonly known: WrittenFiles;
  readonly rewritten: Map<string, JudgeChange>;
};

/** A check that failed runs again, as in the work tree. In another room, because the first run may have left something behind. */
function* runMode(rooms: Rooms, mode: RoomMode, checks: readonly CheckSpec[]): Steps<readonly CheckResult[] | Lack> {
  const first = yield* runOnce(rooms, mode, checks);
  if (isLack(first)) return first;
  const failed = checks.filter(({ name }) => first.some((one) => one.name === name && one.result === 'failed'));
  const second = yield* runOnce(rooms, mode, failed);
  if (isLack(second)) return first;
  return first.map((result) => {
    const again = second.find(({ name }) => name === result.name);
    return again?.result === 'passed' ? { ...again, flaky: true } : result;
  });
}

/** A file that product and judge share counts only if it contains parts of the judge. */
function* onlyJudges(
  { keep, baseline, judge }: Material,
  changes: readonly JudgeChange[],
): Steps<readonly JudgeChange[]> {
  const blobOf = ({ path }: JudgeChange): string | undefined => baseline.get(path)?.blob;
  const shared = changes.filter((change) => judge.isMixed(change.path));
  const texts = yield* readBlobs(
    keep,
    shared.map(blobOf).filter((blob) => blob !== undefined),
  );
  return changes.filter((change) => {
    const text = texts.get(blobOf(change) ?? '')?.toString('utf8') ?? '';
    return !shared.includes(change) || judgePartsIn(change.path, text, judge.aliasesIn(change.path)).length > 0;
  });
}

function* runOnce(
  { site, material, known, rewritten }: Rooms,
  mode: RoomMode,
  checks: readonly CheckSpec[],
): Steps<readonly CheckResult[] | Lack> {
  if (checks.length === 0) return [];
  const made = yield* furnish(site, material, mode);
  if (made.kind === 'lack') return made;
  const { room } = made.request;
  try {
    const results: CheckResult[] = [];
    for (const check of checks) results.push(yield* runOne(made.request, check, tailShare(checks.length)));
    const found = mode === 'as-left' ? [] : made.watch.rewritten(known);
    for (const change of yield* onlyJudges(material, found)) rewritten.set(change.path, change);
    for (const change of addedAround(room.dir)) rewritten.set(change.path, change);
    return results;
  } finally {
    removeRoom(room.dir);
  }
}
