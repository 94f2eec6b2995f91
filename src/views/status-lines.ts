import type { Loop } from '../core/journal.ts';
import type { State } from '../core/loop.ts';
import { isEnded, iterationOf } from '../core/loop.ts';
import { durationText, limitDurationText } from './duration.ts';
import type { LoopView } from './loop-view.ts';
import { oneLine } from './printable.ts';
import { CHECK_MARKS, outcomeSentence, pauseAction } from './sentences.ts';

const GOAL_CHARS_MAX = 100;

/** Where a loop stands, what it waits for, and who drives it. `driver`: the process that holds its lease. */
export function statusLines({ spec, state }: Loop, driver: LoopView['driver'] | null): readonly string[] {
  const { limits } = state;
  const checks = state.checks.map((check) => `${CHECK_MARKS[check.result]} ${oneLine(check.name, 60)}`).join('  ');
  return [
    `${state.loop}  ${isEnded(state) || state.pause !== null ? outcomeSentence(state) : state.status}`,
    `  goal:      ${oneLine(spec.goal, GOAL_CHARS_MAX)}`,
    `  project:   ${state.cwd}`,
    `  iteration: ${iterationOf(state)}${limits.iterationsMax === 'unlimited' ? '' : ` of ${limits.iterationsMax}`}, ${durationText(state.runningMs)}${limits.durationMaxMs === 'unlimited' ? '' : ` of ${limitDurationText(limits.durationMaxMs)}`}`,
    ...(checks === '' ? [] : [`  checks:    ${checks}`]),
    ...(spec.driver === 'session' ? sessionLines(state) : driverLines(state, driver)),
    ...(state.pause === null ? [] : pauseAction(state.loop, state.pause).map((line) => `  ${line}`)),
  ];
}

/** No process of ours drives it: its agent is sent back whenever it stops. */
function sessionLines({ session, status: now }: State): readonly string[] {
  if (now !== 'running' && now !== 'pending') return [];
  return [
    `  session:   ${session === null ? 'the first that stops in the project' : oneLine(`${session.host} ${session.id}`, GOAL_CHARS_MAX)}`,
  ];
}

function driverLines(state: State, driver: LoopView['driver'] | null): readonly string[] {
  if (driver?.alive === true) return [`  driver:    process ${driver.pid} is alive`];
  if (driver?.alive === null)
    return [`  driver:    process ${driver.pid} on ${driver.machine}, which cannot be asked from here`];
  if (state.status !== 'running' && state.status !== 'pending') return [];
  return [
    `  driver:    ${driver === null || driver === undefined ? 'none' : `process ${driver.pid} is dead`}; go on with: tireless resume ${state.loop}`,
  ];
}
