import { isEnded, iterationOf } from '../core/loop.ts';
import type { Loaded } from '../engine/ports.ts';
import { durationText, limitDurationText } from '../views/duration.ts';
import { oneLine } from '../views/printable.ts';
import { outcomeSentence, pauseAction } from '../views/sentences.ts';
import { driverOf } from './driver.ts';

const GOAL_CHARS_MAX = 100;
const MARKS = { passed: '✓', failed: '✗', unknown: '?' } as const;

/** Where a loop stands, what it waits for, and who drives it. */
export function statusLines({ spec, state }: Loaded): readonly string[] {
  const { limits } = state;
  const checks = state.checks.map((check) => `${MARKS[check.result]} ${oneLine(check.name, 60)}`).join('  ');
  return [
    `${state.loop}  ${isEnded(state) || state.pause !== null ? outcomeSentence(state) : state.status}`,
    `  goal:      ${oneLine(spec.goal, GOAL_CHARS_MAX)}`,
    `  project:   ${state.cwd}`,
    `  iteration: ${iterationOf(state)}${limits.iterationsMax === 'unlimited' ? '' : ` of ${limits.iterationsMax}`}, ${durationText(state.runningMs)}${limits.durationMaxMs === 'unlimited' ? '' : ` of ${limitDurationText(limits.durationMaxMs)}`}`,
    ...(checks === '' ? [] : [`  checks:    ${checks}`]),
    ...(spec.driver === 'session' ? sessionLines(state) : driverLines(state)),
    ...(state.pause === null ? [] : pauseAction(state.loop, state.pause).map((line) => `  ${line}`)),
  ];
}

/** Nothing of ours drives it: its agent is asked to go on whenever it stops. */
function sessionLines({ session, status: now }: Loaded['state']): readonly string[] {
  if (now !== 'running' && now !== 'pending') return [];
  return [
    `  session:   ${session === null ? 'the first that stops in the project' : oneLine(`${session.host} ${session.id}`, GOAL_CHARS_MAX)}`,
  ];
}

function driverLines(state: Loaded['state']): readonly string[] {
  const driver = driverOf(state);
  if (driver?.alive === true) return [`  driver:    process ${driver.pid} is alive`];
  if (driver?.alive === null)
    return [`  driver:    process ${driver.pid} on ${driver.machine}, which cannot be asked from here`];
  if (state.status !== 'running' && state.status !== 'pending') return [];
  return [
    `  driver:    ${driver === null ? 'none' : `process ${driver.pid} is dead`}; go on with: tireless resume ${state.loop}`,
  ];
}
