import type { Decision } from '../core/decision.ts';
import type { Event } from '../core/event.ts';
import type { DialectPort, FileReading } from '../core/foreign-file.ts';
import { isUsersTurn } from '../core/handed-over.ts';
import type { Loop } from '../core/journal.ts';
import type { SessionRef } from '../core/loop.ts';
import { isEnded } from '../core/loop.ts';
import { deliveredPrompt } from '../core/prompt.ts';
import { editOf } from './file-edit.ts';
import { isOwner, mayDriveFile, settleOwner } from './file-owner.ts';
import { handleEvent } from './handle-event.ts';
import { lateExtras } from './late-extras.ts';
import type { LiveFile } from './live-file.ts';
import { startsNewLoop, isEdited, isOldCopy, project } from './live-file.ts';
import type { DialectPlace } from './loop-of-file.ts';
import { viewFile } from './loop-of-file.ts';
import type { Pipeline } from './pipeline.ts';
import { perform } from './pipeline.ts';
import type { Handled, Loaded, TurnReport } from './ports.ts';
import type { UserAdditions } from './start-from-file.ts';
import { beginLater, startFromFile } from './start-from-file.ts';
import { endOf } from './unseen-outcome.ts';

export type DialectHandled = Handled & {
  /** `null` = there is no file. */
  readonly reading: FileReading | null;
  /** The counter in the file was lowered, but the loop keeps its own. */
  readonly setBack?: true;
};

function isTurnEnd({ kind }: Event): boolean {
  return kind === 'turn-ended' || kind === 'turn-failed';
}

/** The part of a result that a document's texts are made from. */
export function answerOf({ decision, loaded, reading }: DialectHandled): {
  readonly decision: Decision;
  readonly loop: Loop | null;
  readonly reading: FileReading | null;
} {
  return { decision, loop: loaded ?? null, reading };
}

/** Handles one event of a session whose project contains a dialect's file. Finds, adopts or starts its loop, and applies hand edits first. */
export function* handleDialectEvent(
  place: DialectPlace,
  event: Event,
  report: TurnReport,
  extras: UserAdditions = {},
): Pipeline<DialectHandled> {
  const { session } = place;
  const view = yield* viewFile(place);
  const { bytes, reading } = view;
  const nothing = { decision: { kind: 'abstain', because: 'no-loop' } as const, reading };
  if (session === null) return nothing;

  const known = yield* settleOwner(place, view, report.sentBack === true);
  const current =
    known === undefined || (isEnded(known.state) && (bytes === null || startsNewLoop(known.state, bytes)))
      ? undefined
      : known;
  if (current === undefined) {
    if (reading?.kind !== 'loop' || !reading.active || !mayDriveFile(reading, session)) return nothing;
    // Someone ended the loop while we were reading: the file shows its past, not a new loop.
    if (known !== undefined && (yield* perform('readFile', place.live.path))?.hash !== bytes?.hash) return nothing;
    const started = yield* startFromFile(place, session, reading, extras);
    // Two sessions stopped at once, and the other one was first.
    if (!isOwner(started, session)) return { ...nothing, loaded: started };
    return {
      ...(yield* handleEvent(
        started.state.loop,
        classifyByDocument(event, reading, place.live.dialect),
        reportOf(reading, report, extras),
        place.live,
      )),
      reading,
    };
  }

  if (!isOwner(current, session)) return { ...nothing, loaded: current };
  const live = namedFor(place.live, reading, session);
  // Fail open: an unreadable file must not keep an agent going.
  if (reading?.kind === 'invalid')
    return { decision: { kind: 'abstain', because: 'file-unreadable' }, reading, loaded: current };
  // The end was committed, but the file was not updated (power cut, failed write), so nobody has seen that end.
  const end = isTurnEnd(event) ? endOf(current.state) : null;
  if (end !== null && (yield* project(live, bytes, current))) return { decision: end, reading, loaded: current };
  const begun =
    current.state.status === 'pending' && reading?.active === true
      ? yield* beginLater({ ...place, live }, current, reading, extras)
      : current;
  const setBack = isOldCopy(begun, view, { sentBack: report.sentBack === true }) ? { setBack: true as const } : {};
  if (isEdited(begun.state, bytes)) {
    const { unseen } = report;
    const seen = unseen === undefined ? {} : { unseen };
    const noticed = yield* handleEvent(current.state.loop, editOf(reading, begun, extras), seen, live);
    if (noticed.loaded !== undefined && isEnded(noticed.loaded.state)) return { ...noticed, reading };
  }
  const late = isTurnEnd(event) ? lateExtras(begun, reading, extras) : null;
  if (late !== null) yield* handleEvent(current.state.loop, late, {}, live);
  const asking = classifyByDocument(event, reading, place.live.dialect);
  if (isUsersTurn(current.state, event, report.sentBack))
    yield* handleEvent(current.state.loop, { kind: 'user-spoke' }, {}, live);
  return {
    ...(yield* handleEvent(current.state.loop, asking, reportOf(reading, report, extras, current), live)),
    reading,
    ...setBack,
  };
}

/**
 * The loop was moved to this session, and the power failed before the file was updated: the next write also names the session. It replaces
 * only the name that was read; a different name written in the meantime is someone's edit.
 */
function namedFor(live: LiveFile, reading: FileReading | null, session: SessionRef): LiveFile {
  const { dialect } = live;
  const { withSession } = dialect;
  if (withSession === undefined || reading?.kind !== 'loop' || mayDriveFile(reading, session)) return live;
  const withName: typeof dialect.project = (text, loop) => {
    const found = text === null ? null : dialect.read(text);
    const isStale = found?.kind === 'loop' && found.session === reading.session;
    return dialect.project(text !== null && isStale ? withSession(text, session.id) : text, loop);
  };
  return { ...live, dialect: { ...dialect, project: withName } };
}

/** The document determines the class of the failure and how often it is retried. */
function classifyByDocument(event: Event, reading: FileReading | null, { failureClassOf }: DialectPort): Event {
  if (event.kind !== 'turn-failed' || reading?.kind !== 'loop') return event;
  const { failure } = event;
  const named = failure.class === 'unknown' ? (failureClassOf?.(failure) ?? 'unknown') : failure.class;
  const triesMax = reading.triesMax?.[named];
  return { ...event, failure: { ...(triesMax === undefined ? {} : { triesMax }), ...failure, class: named } };
}

/** `current`: the loop, whose last reply may have begun the turn; absent = this stop starts it. */
function reportOf(
  reading: FileReading | null,
  given: TurnReport,
  { dayTurnsMax }: UserAdditions,
  current?: Loaded,
): TurnReport {
  const report = { ...given, ...(dayTurnsMax === undefined ? {} : { dayTurnsMax }) };
  if (reading?.kind !== 'loop') return report;
  const { turnText } = given;
  return {
    ...report,
    ...(reading.claimInTurn === undefined || turnText === undefined ? {} : { message: turnText(replyLine(current)) }),
    ...(reading.claimedIn === undefined ? {} : { message: reading.claimedIn }),
    ...(reading.criteriaMet === undefined ? {} : { criteriaMet: reading.criteriaMet }),
    ...(reading.progress === undefined ? {} : { progress: reading.progress }),
    ...(report.usage === undefined ? costOf(reading, current) : {}),
  };
}

/** The turn before the first stop was not the loop's own: so far the loop has cost nothing. */
function costOf(
  { costUsd, costMaxUsd }: FileReading & { kind: 'loop' },
  current?: Loaded,
): Pick<TurnReport, 'costTotalUsd'> {
  if (costUsd !== undefined) return { costTotalUsd: costUsd };
  const isFirst = current === undefined || current.state.status === 'pending';
  return isFirst && costMaxUsd !== undefined ? { costTotalUsd: 0 } : {};
}

/** The first line of the prompt that sent the agent back; empty = it was not sent back. */
function replyLine(current: Loaded | undefined): string {
  if (current === undefined || isEnded(current.state) || current.state.lastTurn === null) return '';
  return deliveredPrompt(current.spec, current.state).line;
}
