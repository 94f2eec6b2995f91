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
import type { Loaded } from './ports.ts';
import type { Taking } from './leaving.ts';
import { workBefore } from './leaving.ts';
import { refuseMove } from './session-loops.ts';
import { moveToSession } from './take-over.ts';

/**
 * Continues a loop in this session, with its counters: one that another session left open, or one that is paused or halted. `live`: its file, if
 * it lives in a foreign one. `limits`: those to change. Throws `USAGE`, `LOOP_STATE` or `LOOP_BUSY` before anything is changed, and `LOOP_STATE` if
 * the loop is not running afterwards.
 */
export function* continueInSession(
  found: Loaded,
  session: SessionRef,
  live?: LiveFile,
  { limits, ...taking }: Taking & { readonly limits?: Partial<Limits> } = {},
): Pipeline<Armed> {
  yield* refuseMove(found, session, taking);
  const moved = (yield* moveToSession(found, session, live, taking)).loaded ?? found;
  const { loop, status } = moved.state;
  if (limits !== undefined && (status === 'running' || status === 'pending'))
    yield* handleEvent(loop, { kind: 'resume-requested', limits });
  const event = resumeEventFor(status, typeof taking.activeMs === 'number', limits);
  const handled =
    live === undefined
      ? yield* handleEvent(loop, event, workBefore(taking))
      : yield* handleLiveEvent(loop, event, {}, live);
  const { decision, loaded = moved } = handled;
  if (loaded.state.status !== 'running')
    throw new Fault(
      'LOOP_STATE',
      `Loop ${loop} cannot continue here (${decision.kind}). Look at "tireless status ${loop}".`,
    );
  // A newer loop of this session may have ended since.
  if (status === 'halted') yield* perform('bindSession', session, loop);
  return { loaded, prompt: promptWithHistory(loaded.spec, loaded.state) };
}

function resumeEventFor(status: Status, isTaken: boolean, limits: Partial<Limits> | undefined): Event {
  if (status === 'paused' || status === 'halted')
    return { kind: 'resume-requested', ...(limits === undefined ? {} : { limits }) };
  // The arming process was killed before the baseline was taken.
  if (status === 'pending') return { kind: 'baseline-taken' };
  return { kind: 'session-resumed', ...(isTaken ? { taken: true } : {}) };
}
