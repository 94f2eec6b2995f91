import type { Agent } from './case.ts';
import { environmentChanges } from './environment-changes.ts';
import { honestAgents } from './honest.ts';
import { judged } from './judged.ts';
import { printedSummaries, processLies } from './lies.ts';
import { referee } from './referee.ts';
import { runnerChanges } from './runner-changes.ts';
import { testChanges } from './test-changes.ts';
import { specialCasing, time } from './time.ts';

export const CHEATS: readonly Agent[] = [
  ...testChanges,
  ...runnerChanges,
  ...environmentChanges,
  ...processLies,
  ...judged,
  ...printedSummaries,
  ...time,
  ...specialCasing,
  ...referee,
];

export const HONEST: readonly Agent[] = honestAgents;
