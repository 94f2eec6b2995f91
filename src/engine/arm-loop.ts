import { Fault, isFault } from '../core/fault.ts';
import type { LoopId, SessionRef } from '../core/loop.ts';
import { promptOf } from '../core/prompt.ts';
import { handleEvent } from './handle-event.ts';
import type { Pipeline } from './pipeline.ts';
import { perform } from './pipeline.ts';
import type { Loaded, StartRequest } from './ports.ts';
import { openLoopOf, sessionName } from './session-loops.ts';
import { startLoop } from './start-loop.ts';
import { unrunnableCheckIn, unrunnableFault } from './unrunnable-check.ts';

export type ArmRequest = StartRequest & {
  readonly session: SessionRef;
  /** The caller gives the first prompt to the agent of the session. */
  readonly deliversPrompt?: true;
  /** Start although a check cannot be run: the agent will create its command. */
  readonly allowMissingCheck?: boolean;
  /** The commands that seem to test this project. */
  readonly knownChecks?: () => readonly string[];
  /** `false`: the host does not report what a turn used, so cost and tokens cannot be limited. */
  readonly reportsUsage?: boolean;
  /** What else keeps the agent of this session going, as far as the caller has checked. */
  readonly conflicts?: readonly Conflict[];
};

/** Something else that keeps the agent of a session going, and how the user can end it. */
export type Conflict = { readonly what: string; readonly end: string };

/** What the caller does in between. If a step throws, the loop is cancelled. */
export type ArmSteps = {
  /** The loop is durable and bound, and nothing was examined yet: create the files it needs, so that they do not count as the agent's work. */
  readonly onBound?: () => void;
};

export type ArmedLoop = {
  readonly loaded: Loaded;
  /** The first prompt for the agent of the session: the first iteration counts from here. */
  readonly prompt: string;
};

/** Each lost try means that another process bound the session and finished with it in the meantime. */
const BIND_TRIES_MAX = 5;

/**
 * Creates a loop for a session: durable, bound, its baseline taken, its first iteration begun. From then on the session's stop hook finds
 * it. Throws `LOOP_STATE` if the session has an open loop, `LOOP_CONFLICT` if something else keeps its agent going, and
 * `CHECK_NOT_RUNNABLE`. Any failure after the loop was created cancels it; a pause from elsewhere does not.
 */
export function* armLoop(request: ArmRequest, steps: ArmSteps = {}): Pipeline<ArmedLoop> {
  const { loop, spec, session, cwd, machine, conflicts = [] } = request;
  requireFigures(request);
  yield* refuseHeldSession(session);
  if (spec.observe !== true) refuseConflicts(conflicts);
  yield* startLoop({ loop, spec, session, cwd, machine });
  const loaded = yield* beginOrCancel(request, steps);
  if (loaded?.state.status !== 'running') throw notBegun(loop, loaded);
  return { loaded, prompt: promptOf(loaded.spec, loaded.state) };
}

function* beginOrCancel(request: ArmRequest, steps: ArmSteps): Pipeline<Loaded | undefined> {
  try {
    return yield* begin(request, steps);
  } catch (error) {
    // Nobody has seen the loop yet, and while it is open the session cannot get another one.
    yield* cancelIfPossible(request.loop);
    throw error;
  }
}

/** Someone paused or cancelled it while its first checks ran. That stands: a paused loop begins when it is resumed. */
function notBegun(loop: LoopId, loaded: Loaded | undefined): Fault {
  const now = loaded?.state.status;
  if (now !== 'paused')
    return new Fault(
      'LOOP_STATE',
      `Loop ${loop} was ${now ?? 'removed'} before it began. Look at "tireless status ${loop}".`,
    );
  return new Fault(
    'LOOP_STATE',
    `Loop ${loop} was paused before it began. "tireless resume ${loop}" in a terminal resumes it; it begins with the next message in its session.`,
  );
}

export function* refuseHeldSession(session: SessionRef): Pipeline<void> {
  const other = yield* openLoopOf(session);
  if (other !== undefined) throw heldFault(session, other);
}

function* begin(
  { loop, session, deliversPrompt, allowMissingCheck, knownChecks }: ArmRequest,
  { onBound }: ArmSteps,
): Pipeline<Loaded | undefined> {
  const other = yield* bindOnce(loop, session);
  if (other !== undefined) throw heldFault(session, other);
  onBound?.();
  const given = deliversPrompt === undefined ? {} : { firstPromptGiven: deliversPrompt };
  const handled = yield* handleEvent(loop, { kind: 'baseline-taken', ...given });
  const check = allowMissingCheck === true ? undefined : unrunnableCheckIn(handled);
  if (check !== undefined) throw unrunnableFault(loop, check, knownChecks?.());
  return handled.loaded;
}

/** A fault here is ignored: the first failure is the one to report. */
function* cancelIfPossible(loop: LoopId): Pipeline<void> {
  try {
    yield* handleEvent(loop, { kind: 'cancel-requested', because: 'start-failed' });
  } catch (error) {
    if (!isFault(error)) throw error;
  }
}

/** If two processes arm the same session at once, the first one binds it. The loop is created before it is bound, so a bound loop always exists. */
function* bindOnce(loop: LoopId, session: SessionRef): Pipeline<LoopId | undefined> {
  let winner = loop;
  for (let attempt = 0; attempt < BIND_TRIES_MAX; attempt++) {
    const was = yield* perform('loopOfSession', session);
    winner = (yield* openLoopOf(session)) ?? (yield* perform('bindFirst', session, loop, was));
    if (winner === loop) return undefined;
    // The store named an older successor of `was`, which has ended. The next try looks for the loop after it.
    if ((yield* openLoopOf(session)) !== undefined) return winner;
  }
  return winner;
}

function heldFault(session: SessionRef, other: LoopId): Fault {
  return new Fault(
    'LOOP_STATE',
    `Cannot start a loop in the session ${sessionName(session)}: it already has loop ${other}. Cancel that one with "tireless cancel ${other}", or use another session.`,
  );
}

/** If two programs both send the agent back, each counts the other's turns, and neither limit is enforced correctly. */
function refuseConflicts([first]: readonly Conflict[]): void {
  if (first === undefined) return;
  throw new Fault(
    'LOOP_CONFLICT',
    `Cannot start a loop here: ${first.what} already keeps this session going. End it first (${first.end}), or start with --observe, which only watches.`,
  );
}

/** Without figures to compare it with, a limit would only pause the loop at its first stop. */
function requireFigures({ spec: { limits }, session, reportsUsage }: ArmRequest): void {
  const needsFigures = limits.costMaxUsd !== 'unlimited' || limits.tokensMax !== 'unlimited';
  if (needsFigures && reportsUsage === false)
    throw new Fault(
      'USAGE',
      `Cannot limit cost or tokens in a session of ${session.host}: it does not report what a turn used. Leave out --max-cost and --max-tokens, and limit --max-iterations or --max-duration. If a configuration file sets them, add --max-cost unlimited or --max-tokens unlimited.`,
    );
}
