import type { Loop } from '../core/journal.ts';
import type { LoopId, Pause, State } from '../core/loop.ts';
import { isEnded } from '../core/loop.ts';
import type { Action } from './actions.ts';
import { actionLines, pauseActions } from './actions.ts';
import { durationText, limitDurationText, momentText } from './duration.ts';
import { countText, iterationCountOf } from './iteration-count.ts';
import type { LoopView } from './loop-view.ts';
import { oneLine } from './printable.ts';
import { holdoutNames, LEVEL_WORDS, roomWarnings, whyNoRoom } from './room-words.ts';
import type { SeenOfSession, Standstill } from './standstill.ts';
import { standstillActions, standstillOf } from './standstill.ts';
import { CHECK_MARKS, outcomeSentence } from './sentences.ts';
import { pauseActionsHere } from './session-actions.ts';
import { usageOfLimits } from './usage-words.ts';

const GOAL_CHARS_MAX = 100;
/** As wide as "iteration: ". */
const STATUS_LABEL_COLUMNS = 11;
const ANSWER_CHARS_MAX = 300;

/**
 * `watcher`: the process that waits for a person. `answer`: the person's answer, which has not reached the loop yet. `seen`: what is known
 * about its session. `now`: what it is doing, as lines. `liveMs`: running time that no event has recorded yet. `prefix`: set if the user is
 * in its session, where our commands begin with it.
 */
type Waiting = {
  readonly watcher?: LoopView['driver'] | null;
  readonly answer?: string | null;
  readonly seen?: SeenOfSession;
  readonly now?: readonly string[];
  readonly liveMs?: number;
  readonly prefix?: string | null;
};

/** The progress of a loop, what it waits for, and who drives it. `driver`: the process that holds its lease. */
export function statusLines(
  { spec, state }: Loop,
  driver: LoopView['driver'] | null,
  { watcher = null, answer = null, seen = {}, now = [], liveMs = 0, prefix = null }: Waiting = {},
): readonly string[] {
  const { limits } = state;
  const used = usageOfLimits(state.usage, limits).join(', ');
  const outcome = answer === null ? outcomeSentence({ spec, state }) : `paused: ${oneLine(answer, ANSWER_CHARS_MAX)}`;
  const still = standstillOf(state, { ...seen, isDriverAlive: driver?.alive ?? null });
  const checks = state.checks.map((check) => `${CHECK_MARKS[check.result]} ${oneLine(check.name, 60)}`).join('  ');
  return [
    `${state.loop}  ${isEnded(state) || state.pause !== null ? outcome : openWords({ spec, state }, still, driver)}`,
    `  goal:      ${oneLine(spec.goal, GOAL_CHARS_MAX)}`,
    `  project:   ${state.cwd}`,
    `  iteration: ${countText(iterationCountOf({ spec, state }))}, ${durationText(state.runningMs + (still === null ? liveMs : 0))}${limits.durationMaxMs === 'unlimited' ? '' : ` of ${limitDurationText(limits.durationMaxMs)}`}`,
    ...(still === null ? now : []),
    ...(used === '' ? [] : [`  used:      ${used}`]),
    ...(checks === '' ? [] : [`  checks:    ${checks}`]),
    ...roomLines({ spec, state }),
    ...(spec.driver === 'session' ? sessionLines(state) : driverLines(state, driver)),
    ...watcherLines(watcher),
    ...(state.pause === null || answer !== null ? [] : indented(pauseActionsFor(state.loop, state.pause, prefix))),
    ...(still === null ? [] : indented(standstillActions(state, still, seen.reopen))),
  ];
}

function pauseActionsFor(loop: LoopId, pause: Pause, prefix: string | null): readonly Action[] {
  return prefix === null ? pauseActions(loop, pause) : pauseActionsHere(loop, pause, prefix);
}

function indented(actions: readonly Action[]): readonly string[] {
  return actionLines(actions, STATUS_LABEL_COLUMNS).map((line) => `  ${line}`);
}

/** A loop is called `running` only if somebody may be at work on it. */
function openWords(
  { spec, state: { status, session } }: Pick<Loop, 'spec' | 'state'>,
  still: Standstill | null,
  driver: LoopView['driver'] | null,
): string {
  if (still === null) {
    const isChecked = status === 'pending' && spec.checks.length > 0 && (session !== null || driver?.alive === true);
    return isChecked ? 'pending: its checks are running, before the first iteration' : status;
  }
  if (session === null && still.retryAt !== null) return `waiting until ${momentText(still.retryAt)}: ${still.reason}`;
  const retry =
    still.retryAt === null ? '' : `; next try at ${momentText(still.retryAt)}, or when you write to the agent`;
  return `stalled: ${still.reason}${retry}`;
}

/** The watcher runs outside the session, so nobody sees it die. */
function watcherLines(watcher: LoopView['driver'] | null): readonly string[] {
  if (watcher === null || watcher === undefined) return [];
  return watcher.alive === false
    ? [
        `  watcher:   process ${watcher.pid} should have resumed the agent, but is dead; write to the agent in its session`,
      ]
    : [`  watcher:   process ${watcher.pid} resumes the agent after your answer`];
}

/** How the finish was verified; while the loop is open, only reasons that will keep it out of the clean room. */
function roomLines({ spec, state }: Pick<Loop, 'spec' | 'state'>): readonly string[] {
  const { outcome, room } = state;
  if (outcome?.kind === 'completed') {
    const why = whyNoRoom(spec, state);
    if (!outcome.verified || (outcome.level === undefined && why === null)) return [];
    return [`  verified:  ${LEVEL_WORDS[outcome.level ?? 'tree']}${why === null ? '' : ` (${why})`}`];
  }
  if (outcome !== null || room === undefined) return [];
  return roomWarnings(room, holdoutNames(spec))
    .filter((line) => !line.startsWith(' '))
    .map((line) => `  room:      ${line}`);
}

/** No process of ours drives it: the agent is sent back whenever it stops. */
function sessionLines({ session, status: now }: State): readonly string[] {
  if (now !== 'running' && now !== 'pending') return [];
  return [
    `  session:   ${session === null ? 'the first that stops in the project' : oneLine(`${session.host} ${session.id}`, GOAL_CHARS_MAX)}`,
  ];
}

function driverLines(state: State, driver: LoopView['driver'] | null): readonly string[] {
  if (driver?.alive === true) return [`  driver:    process ${driver.pid} is alive`];
  if (driver?.alive === null)
    return [`  driver:    process ${driver.pid} on ${driver.machine}, which cannot be checked from here`];
  if (state.status !== 'running' && state.status !== 'pending') return [];
  return [
    `  driver:    ${driver === null || driver === undefined ? 'none' : `process ${driver.pid} is dead`}; continue with: tireless resume ${state.loop}`,
  ];
}
