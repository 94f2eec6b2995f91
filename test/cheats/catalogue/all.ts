import type { Agent } from './case.ts';
import { environmentDetours, judgedDetours, lyingDetours, runnerDetours } from './detours.ts';
import { disguises, honestReaching } from './disguises.ts';
import { environmentChanges } from './environment-changes.ts';
import { hiddenCode, hiddenLooks, honestPlaces, testsInside } from './hidden-places.ts';
import { honestDetours } from './honest-detours.ts';
import { honestAgents } from './honest.ts';
import { judged } from './judged.ts';
import { honestLanguageChanges, languageChanges } from './language-changes.ts';
import { printedSummaries, processLies } from './lies.ts';
import { honestLookouts, lookouts } from './lookouts.ts';
import { beforeMain, honestModes, modeFiles, modes } from './modes.ts';
import { referee } from './referee.ts';
import { helperDetours, roomDetours } from './room-detours.ts';
import { runnerChanges } from './runner-changes.ts';
import { testChanges } from './test-changes.ts';
import { specialCasing, time } from './time.ts';

export const CHEATS: readonly Agent[] = [
  ...testChanges,
  ...helperDetours,
  ...testsInside,
  ...runnerChanges,
  ...runnerDetours,
  ...roomDetours,
  ...environmentChanges,
  ...environmentDetours,
  ...modeFiles,
  ...processLies,
  ...lyingDetours,
  ...disguises,
  ...hiddenCode,
  ...beforeMain,
  ...judged,
  ...judgedDetours,
  ...hiddenLooks,
  ...modes,
  ...lookouts,
  ...languageChanges,
  ...printedSummaries,
  ...time,
  ...specialCasing,
  ...referee,
];

export const HONEST: readonly Agent[] = [
  ...honestAgents,
  ...honestDetours,
  ...honestLanguageChanges,
  ...honestReaching,
  ...honestPlaces,
  ...honestModes,
  ...honestLookouts,
];
