import type { AbstainReason } from '../core/decision.ts';
import type { Event } from '../core/event.ts';
import { Fault } from '../core/fault.ts';
import type { Limits, SessionRef, Status } from '../core/loop.ts';
import { promptWithHistory } from '../core/prompt.ts';
import type { ArmedLoop } from './arm-loop.ts';
import { handleEvent } from './handle-event.ts';
import { handleLiveEvent } from './live-event.ts';
import type { LiveFile } from './live-file.ts';
import type { Pipeline } from './pipeline.ts';
import { perform } from './pipeline.ts';
import type { Handled, Loaded, TurnReport } from './ports.ts';
import type { Takeover } from './takeover-signs.ts';
import { workBefore } from './takeover-signs.ts';
import { refuseMove } from './session-loops.ts';
import { moveToSession } from './take-over.ts';
import { resumeEventFor, whyNotResumed } from './why-not-resumed.ts';

/** `limits`: the limits to change. */
type PlaceOptions = Takeover & { readonly limits?: Partial<Limits> };

/** `refusal`: why the loop cannot be resumed, worded for where the user reads it. */
export type ContinueOptions = PlaceOptions & { readonly refusal?: (loaded: Loaded, because: AbstainReason) => Fault };

/**
 * Gives a loop to the session that will continue it, before it is resumed. If the process is killed in between, the session has a halted or
 * paused loop, and the same command continues it; in the other order, a loop would run that no hook finds. Throws `USAGE`, `LOOP_STATE` or
 * `LOOP_BUSY`, and abstains if the resume would be refused; either way nothing changes.
 */
export function* placeInSession(
  found: Loaded,
  session: SessionRef,
  live: LiveFile | undefined,
  { limits, ...takeover }: PlaceOptions,
): Pipeline<Handled> {
  yield* refuseMove(found, session, takeover);
  const because = yield* whyNotResumed(found, limits, live, workBefore(takeover));
  if (because !== null) return { decision: { kind: 'abstain', because }, loaded: found };
  const placed = yield* moveToSession(found, session, live, takeover);
  // A session releases a halted loop, and may have a newer one by now.
  if (placed.decision.kind === 'record' && found.state.status === 'halted')
    yield* perform('bindSession', session, found.state.loop);
  return placed;
}

/**
 * Continues a loop in this session, with its counters: a loop that another session left open, or one that is paused or halted. `live`: its
 * file, if it lives in a foreign one. Throws `USAGE`, `LOOP_STATE` or `LOOP_BUSY` before anything changes, and `LOOP_STATE` if the loop is
 * neither running afterwards nor begins at the next stop.
 */
export function* continueInSession(
  found: Loaded,
  session: SessionRef,
  live?: LiveFile,
  { refusal = cannotContinue, ...placing }: ContinueOptions = {},
): Pipeline<ArmedLoop> {
  const { limits, ...takeover } = placing;
  const placed = yield* placeInSession(found, session, live, placing);
  const { loaded: moved = found } = placed;
  if (placed.decision.kind === 'abstain') throw refusal(moved, placed.decision.because);
  const { loop, status } = moved.state;
  const post = (event: Event, report: TurnReport = {}): Pipeline<Handled> =>
    live === undefined ? handleEvent(loop, event, report) : handleLiveEvent(loop, event, {}, live);
  const resume = resumeEventFor(status, limits);
  let opened = status;
  if (resume !== null) {
    const { decision, loaded = moved } = yield* post(resume, workBefore(takeover));
    if (decision.kind === 'abstain') throw refusal(loaded, decision.because);
    if (isBegunByStop(loaded, live)) return armed(loaded);
    const isUnbegun = loaded.state.status === 'pending';
    if (!isOpenAlready(status) && !isUnbegun) return continued(decision.kind, loaded);
    opened = loaded.state.status;
  }
  if (isBegunByStop(moved, live)) return armed(moved);
  const { decision, loaded = moved } = yield* post(
    openEventFor(opened, typeof takeover.activeMs === 'number'),
    workBefore(takeover),
  );
  return continued(decision.kind, loaded);
}

/** A loop in a state file that has not begun: the next stop takes its baseline, with the checks and limits of the hook. */
function isBegunByStop({ state }: Loaded, live: LiveFile | undefined): boolean {
  return live !== undefined && state.status === 'pending';
}

function isOpenAlready(status: Status): boolean {
  return status === 'running' || status === 'pending';
}

function openEventFor(status: Status, isTaken: boolean): Event {
  // The arming process was killed before the baseline was taken.
  if (status === 'pending') return { kind: 'baseline-taken' };
  return { kind: 'session-resumed', ...(isTaken ? { taken: true } : {}) };
}

function continued(decided: string, loaded: Loaded): ArmedLoop {
  const { state } = loaded;
  if (state.status !== 'running')
    throw new Fault(
      'LOOP_STATE',
      `Loop ${state.loop} cannot continue here (${decided}). Look at "tireless status ${state.loop}".`,
    );
  return armed(loaded);
}

function armed(loaded: Loaded): ArmedLoop {
  return { loaded, prompt: promptWithHistory(loaded.spec, loaded.state) };
}

function cannotContinue({ state: { loop } }: Loaded, because: AbstainReason): Fault {
  return new Fault('LOOP_STATE', `Loop ${loop} cannot continue here (${because}). Look at "tireless status ${loop}".`);
}
