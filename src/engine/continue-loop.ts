import type { AbstainReason } from '../core/decision.ts';
import type { Event } from '../core/event.ts';
import { Fault } from '../core/fault.ts';
import type { Limits, SessionRef, Status } from '../core/loop.ts';
import { promptWithHistory } from '../core/prompt.ts';
import type { Armed } from './arm-loop.ts';
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

/** `limits`: those to change. */
type Placing = Takeover & { readonly limits?: Partial<Limits> };

/** `refusal`: why the loop cannot be resumed, in the words of the place where the user reads it. */
export type Continuing = Placing & { readonly refusal?: (loaded: Loaded, because: AbstainReason) => Fault };

/**
 * Gives a loop to the session that is to continue it, before it is resumed: killed in between, the session has a loop that is halted or paused as
 * before, and the same command continues it. The other way around, a loop would run that no hook finds. Throws `USAGE`, `LOOP_STATE` or
 * `LOOP_BUSY`, and abstains if the resume would be refused; either way nothing is changed.
 */
export function* placeInSession(
  found: Loaded,
  session: SessionRef,
  live: LiveFile | undefined,
  { limits, ...takeover }: Placing,
): Pipeline<Handled> {
  yield* refuseMove(found, session, takeover);
  const because = yield* whyNotResumed(found, limits, live, workBefore(takeover));
  if (because !== null) return { decision: { kind: 'abstain', because }, loaded: found };
  const placed = yield* moveToSession(found, session, live, takeover);
  // A session lets go of a halted loop, and a newer one may have taken its place.
  if (placed.decision.kind === 'record' && found.state.status === 'halted')
    yield* perform('bindSession', session, found.state.loop);
  return placed;
}

/**
 * Continues a loop in this session, with its counters: one that another session left open, or one that is paused or halted. `live`: its file, if
 * it lives in a foreign one. Throws `USAGE`, `LOOP_STATE` or `LOOP_BUSY` before anything is changed, and `LOOP_STATE` if the loop is neither running
 * afterwards nor begins at the next stop.
 */
export function* continueInSession(
  found: Loaded,
  session: SessionRef,
  live?: LiveFile,
  { refusal = cannotContinue, ...placing }: Continuing = {},
): Pipeline<Armed> {
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

/** A loop in a state file that has not begun yet: its next stop takes the baseline, with the checks and limits of the hook. */
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

function continued(decided: string, loaded: Loaded): Armed {
  const { state } = loaded;
  if (state.status !== 'running')
    throw new Fault(
      'LOOP_STATE',
      `Loop ${state.loop} cannot continue here (${decided}). Look at "tireless status ${state.loop}".`,
    );
  return armed(loaded);
}

function armed(loaded: Loaded): Armed {
  return { loaded, prompt: promptWithHistory(loaded.spec, loaded.state) };
}

function cannotContinue({ state: { loop } }: Loaded, because: AbstainReason): Fault {
  return new Fault('LOOP_STATE', `Loop ${loop} cannot continue here (${because}). Look at "tireless status ${loop}".`);
}
