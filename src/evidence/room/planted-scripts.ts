import type { CheckSpec } from '../../core/loop.ts';
import type { PlantedRun, RoomBaseline, RoomRun } from '../../core/room.ts';
import { fitOf, roomAnswer } from '../../core/room.ts';
import type { Steps } from '../command-steps.ts';
import { plainScriptOf } from '../judge/plain-script.ts';
import type { PlantedScript } from '../planted/plain-scripts.ts';
import { plantScript } from '../planted/plain-scripts.ts';
import { LINK_MODE } from './file-list.ts';
import type { Material, RoomSite } from './furnish.ts';
import { briefly, mayReachOut, runWith } from './planted-runs.ts';
import type { Changes } from './room-signs.ts';
import { readTexts } from './room-signs.ts';

type Asked = {
  readonly checks: readonly CheckSpec[];
  readonly baseline: RoomBaseline;
  readonly runs: readonly RoomRun[];
  readonly changes: Changes;
};

type Place = { readonly site: RoomSite; readonly material: Material };

/**
 * Runs checks that passed, that count no tests and that are one plain script, once more with a script that must fail. Only if the agent's
 * code could keep it from failing.
 */
export function* runPlantedScripts(
  place: Place & { readonly at: string },
  { checks, baseline, runs, changes }: Asked,
): Steps<readonly RoomRun[]> {
  const isAsked = (run: RoomRun): boolean =>
    run.judged.tests === undefined && roomAnswer(run, fitOf(baseline, run.name)).result === 'passed';
  const passed = checks.filter(
    (check) => !check.holdout && runs.some((run) => run.name === check.name && isAsked(run)),
  );
  const asked = briefly(passed, runs);
  if (asked.length === 0 || !mayReachOut(place.material, changes)) return runs;
  const found = new Map<string, PlantedRun>();
  for (const check of asked) {
    const script = yield* scriptOf(place, check);
    const run = script === undefined ? undefined : yield* runScript(place, check, script);
    if (run !== undefined) found.set(check.name, run);
  }
  return runs.map((run) => {
    const planted = found.get(run.name);
    return planted === undefined ? run : { ...run, planted };
  });
}

type Script = { readonly file: string; readonly planted: PlantedScript };

function* scriptOf({ at, material }: Place & { readonly at: string }, { probe }: CheckSpec): Steps<Script | undefined> {
  const { baseline, judge, record } = material;
  if (probe.kind !== 'command') return undefined;
  const file = plainScriptOf(probe.command, {
    at,
    isFile: (each) => baseline.has(each) && baseline.get(each)?.mode !== LINK_MODE,
    readText: (each) => record.texts[each],
  });
  const entry = file === undefined ? undefined : baseline.get(file);
  // A script that is the product itself is as the agent left it.
  if (file === undefined || entry === undefined || judge.roleOf(file) === undefined) return undefined;
  const text = (yield* readTexts(material, [entry])).get(entry.blob);
  const planted = text === undefined ? undefined : plantScript(file, text);
  return planted === undefined ? undefined : { file, planted };
}

/** The first version that passes is enough. */
function* runScript(place: Place, check: CheckSpec, { file, planted }: Script): Steps<PlantedRun | undefined> {
  for (const text of [planted.loaded, planted.values]) {
    if (text === undefined) continue;
    const result = (yield* runWith(place, new Map([[file, text]]), [check])).get(check.name)?.result;
    if (result !== 'passed') continue;
    const control = (yield* runWith(place, new Map([[file, planted.broken]]), [check])).get(check.name)?.result;
    return { result, values: 0, ...(control === undefined ? {} : { control }) };
  }
  return { result: 'failed', values: 0 };
}
