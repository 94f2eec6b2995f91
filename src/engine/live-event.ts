import type { Event } from '../core/event.ts';
import { Fault } from '../core/fault.ts';
import type { FileReading } from '../core/foreign-file.ts';
import { documentLimits } from '../core/foreign-file.ts';
import type { LoopId, SessionRef } from '../core/loop.ts';
import { isEnded } from '../core/loop.ts';
import type { DialectPlace } from './loop-of-file.ts';
import { editOf } from './file-edit.ts';
import { ownChecks } from './own-checks.ts';
import type { UserAdditions } from './start-from-file.ts';
import { startFromFile } from './start-from-file.ts';
import { loopOfFile, viewFile } from './loop-of-file.ts';
import { leaveFile } from './file-owner.ts';
import { handleEvent } from './handle-event.ts';
import type { LiveFile } from './live-file.ts';
import { isEdited, isReplaced } from './live-file.ts';
import type { Pipeline } from './pipeline.ts';
import type { Handled, Loaded, TurnReport } from './ports.ts';

/**
 * Handles an event from outside the session (`tireless cancel`, `steer` …) for a loop in a foreign file: applies hand edits of the file
 * first, then the event, and updates the file. If another file took its place, the event goes to the loop of that file, whose agent is the
 * one at work. An unreadable file is left alone, and the journal continues without it; only a resume is refused, because nothing would
 * continue. Throws `STATE_FILE_INVALID`.
 */
export function* handleLiveEvent(loop: LoopId, event: Event, report: TurnReport, live: LiveFile): Pipeline<Handled> {
  const view = yield* viewFile({ live });
  const { bytes, reading, known } = view;
  if (reading?.kind === 'invalid' && event.kind === 'resume-requested') throw unreadable(loop, live, reading.why);
  // The file belongs to a later loop, or cannot be read.
  if (known?.state.loop !== loop || reading?.kind === 'invalid') return yield* handleEvent(loop, event, report);
  if (!isEnded(known.state) && isReplaced(known, view)) {
    yield* leaveFile(loop);
    const isForFile = MEANT_FOR_FILE.has(event.kind) && reading?.active === true;
    const started = isForFile ? yield* startInPlace(known, reading, live) : loop;
    return yield* handleEvent(started, event, report, isForFile ? live : undefined);
  }
  if (isEdited(known.state, bytes)) {
    const noticed = yield* handleEvent(loop, editOf(reading, known), {}, live);
    // A file that was deleted, switched off or completed has already ended the loop, as requested.
    if (event.kind === 'cancel-requested' && noticed.loaded !== undefined && isEnded(noticed.loaded.state))
      return noticed;
  }
  return yield* handleEvent(loop, withCount(event, known, live), report, live);
}

/** Cancels the loop of a file and updates or removes the file. `other`: the loop there is not the one that `isMeant`. */
export function* cancelLoopOfFile(
  place: Pick<DialectPlace, 'live'>,
  isMeant: (known: Loaded) => boolean,
): Pipeline<'cancelled' | 'none' | 'other'> {
  const known = yield* loopOfFile(place);
  if (known === undefined || isEnded(known.state)) return 'none';
  if (!isMeant(known)) return 'other';
  yield* handleEvent(known.state.loop, { kind: 'cancel-requested' }, {}, place.live);
  return 'cancelled';
}

/** Only if the maximum ended the loop: a turn that failed fatally or ran out of time keeps its number. */
function withCount(event: Event, { state }: Loaded, { dialect }: LiveFile): Event {
  if (event.kind !== 'resume-requested' || dialect.endIsUncounted !== true) return event;
  const isAtMaximum = state.outcome?.kind === 'halted' && state.outcome.guard === 'iterations-max';
  return isAtMaximum ? { ...event, counted: Math.max(0, state.counted - 1) } : event;
}

/** Events for whoever works on the file now. A resume or an answer is for one loop only. */
const MEANT_FOR_FILE: ReadonlySet<Event['kind']> = new Set(['cancel-requested', 'pause-requested', 'steering-given']);

/**
 * Starts the loop of the new file, for the same session unless the file names another, with the old loop's checks and limits that no file
 * defines.
 */
function* startInPlace(known: Loaded, reading: FileReading & { kind: 'loop' }, live: LiveFile): Pipeline<LoopId> {
  const { asked, spec, state } = known;
  const session: SessionRef | null =
    reading.session === null || state.session === null
      ? state.session
      : { host: state.session.host, id: reading.session };
  const place: DialectPlace = { live, cwd: state.cwd, file: asked.dialect?.file ?? '', session };
  const { noProgressMax: _, ...ofDocument } = documentLimits(reading);
  const { durationMaxMs, noProgressMax } = state.limits;
  const extras: UserAdditions = {
    checks: ownChecks(known),
    protect: spec.protect,
    limits: { durationMaxMs, noProgressMax, ...ofDocument },
    timing: { ...spec.timing, ...reading.timing },
    ...(spec.room === undefined ? {} : { room: spec.room }),
  };
  return (yield* startFromFile(place, session, reading, extras)).state.loop;
}

function unreadable(loop: LoopId, { path }: LiveFile, why: string): Fault {
  return new Fault(
    'STATE_FILE_INVALID',
    `Cannot continue loop ${loop}: its file ${path} cannot be read: ${why.replace(/\.$/u, '')}. Correct it, or delete it to end the loop.`,
  );
}
