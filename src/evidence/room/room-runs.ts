import type { CheckResult } from '../../core/evidence.ts';
import type { CheckSpec } from '../../core/loop.ts';
import type { RoomBaseline, RoomRun } from '../../core/room.ts';
import { fitOf, isOnlyLackingTests, roomAnswer } from '../../core/room.ts';
import type { Steps } from '../command-steps.ts';
import type { RoomMode } from './compose-room.ts';
import { hasAdded, judgeChanges } from './compose-room.ts';
import type { Material, Site } from './furnish.ts';
import { furnish } from './furnish.ts';
import { removeRoom } from './make-room.ts';
import type { Lack } from './read-work.ts';
import { isLack } from './read-work.ts';
import { runTwice } from './run-in-room.ts';

export type RunsRequest = { readonly checks: readonly CheckSpec[]; readonly baseline: RoomBaseline };

/** With the judge's files of the baseline; only for checks that do not pass like that, with added tests and with everything as it was left. */
export function* runChecks(site: Site, material: Material, asked: RunsRequest): Steps<readonly RoomRun[] | Lack> {
  const judged = yield* runMode(site, material, 'judged', asked.checks);
  if (isLack(judged)) return judged;
  const runs = judged.map((result): RoomRun => ({ name: result.name, judged: result }));
  const lacking = openIn(runs, asked).filter((check) => isLackingTests(runs, asked.baseline, check.name));
  const mayHelp = lacking.length > 0 && hasAdded(material, material.textOf);
  const withAdded = addRuns(runs, 'withAdded', mayHelp ? yield* runMode(site, material, 'with-added', lacking) : []);
  const open = openIn(withAdded, asked);
  const mayRest = open.length > 0 && judgeChanges(material, material.textOf).length > 0;
  return addRuns(withAdded, 'asLeft', mayRest ? yield* runMode(site, material, 'as-left', open) : []);
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

function* runMode(
  site: Site,
  material: Material,
  mode: RoomMode,
  checks: readonly CheckSpec[],
): Steps<readonly CheckResult[] | Lack> {
  if (checks.length === 0) return [];
  const made = yield* furnish(site, material, mode);
  if (made.kind === 'lack') return made;
  try {
    const results: CheckResult[] = [];
    for (const check of checks) results.push(yield* runTwice(made.request, check, checks.length));
    return results;
  } finally {
    removeRoom(made.request.room.dir);
  }
}
