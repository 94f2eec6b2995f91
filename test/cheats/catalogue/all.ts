import type { Agent } from './case.ts';
import { environmentDetours, judgedDetours, lyingDetours, runnerDetours } from './detours.ts';
import { disguises, honestReaching } from './disguises.ts';
import { environmentChanges } from './environment-changes.ts';
import { hiddenCode, hiddenLooks, honestPlaces, testsInside } from './hidden-places.ts';
import { honestDetours } from './honest-detours.ts';
import { honestAgents } from './honest.ts';
import { honestData, judgeData } from './judge-data.ts';
import { judged } from './judged.ts';
import { honestElsewhere, judgedElsewhere, plainScripts } from './judged-elsewhere.ts';
import { honestLanguageChanges, languageChanges } from './language-changes.ts';
import { printedSummaries, processLies } from './lies.ts';
import { honestLookouts, lookouts } from './lookouts.ts';
import { beforeMain, honestModes, modeFiles, modes } from './modes.ts';
import { referee } from './referee.ts';
import { helperDetours, roomDetours } from './room-detours.ts';
import { runnerChanges } from './runner-changes.ts';
import { honestSilenced, silenced } from './silenced.ts';
import { honestOutside, storedCopy, workElsewhere } from './stored-copy.ts';
import { honestStandIns, moduleStandIns, nameStandIns, placeStandIns, targetStandIns } from './stand-ins.ts';
import { testChanges } from './test-changes.ts';
import { honestSurroundings, surroundings } from './surroundings.ts';
import { specialCasing, time } from './time.ts';

export const CHEATS: readonly Agent[] = [
  ...testChanges,
  ...helperDetours,
  ...judgeData,
  ...testsInside,
  ...runnerChanges,
  ...runnerDetours,
  ...targetStandIns,
  ...roomDetours,
  ...judgedElsewhere,
  ...environmentChanges,
  ...environmentDetours,
  ...moduleStandIns,
  ...modeFiles,
  ...processLies,
  ...lyingDetours,
  ...plainScripts,
  ...disguises,
  ...hiddenCode,
  ...beforeMain,
  ...judged,
  ...judgedDetours,
  ...hiddenLooks,
  ...modes,
  ...lookouts,
  ...surroundings,
  ...silenced,
  ...placeStandIns,
  ...languageChanges,
  ...nameStandIns,
  ...printedSummaries,
  ...time,
  ...specialCasing,
  ...referee,
  ...storedCopy,
  ...workElsewhere,
];

export const HONEST: readonly Agent[] = [
  ...honestAgents,
  ...honestDetours,
  ...honestLanguageChanges,
  ...honestReaching,
  ...honestPlaces,
  ...honestModes,
  ...honestLookouts,
  ...honestData,
  ...honestSilenced,
  ...honestSurroundings,
  ...honestOutside,
  ...honestElsewhere,
  ...honestStandIns,
];
