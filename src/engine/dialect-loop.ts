import type { Decision } from '../core/decision.ts';
import type { Event } from '../core/event.ts';
import { isFault } from '../core/fault.ts';
import type { DialectPort, FileReading } from '../core/foreign-file.ts';
import { documentLimits, turnsBefore } from '../core/foreign-file.ts';
import type { Loop } from '../core/journal.ts';
import type { CheckSpec, Edits, Limit, Limits, LoopId, SessionRef, Spec, Timing } from '../core/loop.ts';
import { isUsersTurn } from '../core/handed-over.ts';
import { DEFAULT_LIMITS, isEnded } from '../core/loop.ts';
import { deliveredPrompt } from '../core/prompt.ts';
import type { Visitor } from './file-owner.ts';
import { mayDriveFile, isOwner, REMOVED, settleOwner } from './file-owner.ts';
import { handleEvent } from './handle-event.ts';
import type { FileView, LiveFile } from './live-file.ts';
import { beginsAnew, isEdited, isOldCopy, project, readLiveFile } from './live-file.ts';
import { defaultTiming, newSpec } from './new-spec.ts';
import { withOwnChecks } from './own-checks.ts';
import type { Pipeline } from './pipeline.ts';
import { perform } from './pipeline.ts';
import type { Handled, Loaded, StartRequest, TurnReport } from './ports.ts';
import { startLoop } from './start-loop.ts';
import { endOf } from './unseen-outcome.ts';

/** The place of a foreign file. Its loop is found by the file's path and belongs to one session. */
export type DialectPlace = Visitor & {
  readonly live: LiveFile;
  /** The project, absolute; the spec keeps only the path relative to it. */
  readonly cwd: string;
  readonly file: string;
};

/** What the user asked for in addition to the document: limits, times and checks of their own. */
export type Extras = Partial<Pick<Spec, 'checks' | 'protect' | 'room' | 'delivery'>> & {
  readonly limits?: Partial<Limits>;
  readonly timing?: Partial<Timing>;
  /** How many turns a day all loops in the state files of the project may take. */
  readonly dayTurnsMax?: Limit;
};

type Document = FileReading & { kind: 'loop' };

export type DialectHandled = Handled & {
  /** `null` = there is no file. */
  readonly reading: FileReading | null;
  /** The counter in the file was set back, and the loop keeps its own. */
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
  extras: Extras = {},
): Pipeline<DialectHandled> {
  const { session } = place;
  const view = yield* viewFile(place);
  const { bytes, reading } = view;
  const nothing = { decision: { kind: 'abstain', because: 'no-loop' } as const, reading };
  if (session === null) return nothing;

  const known = yield* settleOwner(place, view, report.sentBack === true);
  const current =
    known === undefined || (isEnded(known.state) && (bytes === null || beginsAnew(known.state, bytes)))
      ? undefined
      : known;
  if (current === undefined) {
    if (reading?.kind !== 'loop' || !reading.active || !mayDriveFile(reading, session)) return nothing;
    // Someone ended the loop while we were looking: what we read is its past, not a new loop.
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
  // Fail open: a file that cannot be read must not keep an agent going.
  if (reading?.kind === 'invalid')
    return { decision: { kind: 'abstain', because: 'file-unreadable' }, reading, loaded: current };
  // The end was committed, but the file was not updated: the power failed, or the write did. Nobody has seen that end.
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
 * The loop was moved to this session, and the power failed before the file was updated: the next write also names the session. It only
 * replaces the name that was read; a different name written in the meantime is someone's edit.
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

/** Each lost try is progress made by another stop. */
const VIEW_TRIES_MAX = 100;

/**
 * A consistent view of a file and its loop. Bytes that were read before other stops were counted look like a counter that was set
 * back, and so like a new file. The loop is therefore loaded before and after the file is read, until it did not move in between.
 */
export function* viewFile(place: Pick<DialectPlace, 'live'>): Pipeline<FileView> {
  let known = yield* loopOfFile(place);
  for (let attempt = 0; ; attempt++) {
    const seen = yield* readLiveFile(place.live);
    const after = yield* loopOfFile(place);
    if (after?.head.hash === known?.head.hash || attempt >= VIEW_TRIES_MAX) return { ...seen, known: after };
    known = after;
  }
}

/** The loop that a dialect's file belongs to, as the journal knows it. */
export function* loopOfFile(place: Pick<DialectPlace, 'live'>): Pipeline<Loaded | undefined> {
  const loop = yield* perform('loopOfSession', fileRef(place));
  return loop === undefined ? undefined : yield* perform('load', loop);
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

/**
 * Starts a loop for a file that has no open one. If several callers start one at the same time, they all get this loop: the binding fixes its id
 * once, and any of them may create it. The baseline is empty: documents have no checks, and extra ones first run at the first stop.
 */
export function* startFromFile(
  place: DialectPlace,
  session: SessionRef | null,
  reading: Document,
  extras: Extras,
): Pipeline<Loaded> {
  const created = yield* createFromFile(place, session, reading, extras);
  const isTaken = session === null ? created.state.session !== null : !isOwner(created, session);
  return isTaken ? created : yield* begin(place.live, created.state.loop, reading);
}

/**
 * Creates the loop of a new file before its first stop, which begins it and brings what the user asked for in addition. `session`: the file
 * names none and was written for this one, so other sessions leave it alone; `null` = it belongs to the session that stops first. Returns
 * the loop of the file, whoever owns it.
 */
export function* reserveFile(place: DialectPlace, session: SessionRef | null, reading: Document): Pipeline<Loaded> {
  const created = yield* createFromFile(place, session, reading, {});
  const isOurs = session === null ? created.state.session === null : isOwner(created, session);
  if (!isOurs || created.state.status !== 'pending') return created;
  // Marks the file as seen, so that a replacement counts as another loop.
  const seen = { kind: 'file-edited', edits: {}, limits: {}, counted: reading.counted, gone: false } as const;
  return (yield* handleEvent(created.state.loop, seen, {}, place.live)).loaded ?? created;
}

function* createFromFile(
  place: DialectPlace,
  session: SessionRef | null,
  reading: Document,
  extras: Extras,
): Pipeline<Loaded> {
  const { loop: wanted, machine } = yield* perform('newLoop');
  const was = yield* perform('loopOfSession', fileRef(place));
  const before = was === undefined ? undefined : yield* perform('load', was);
  // Bound but never created: the process that started it died or is not that far yet.
  const isOpen = was !== undefined && (before === undefined || !isEnded(before.state));
  const loop = isOpen ? was : yield* perform('bindFirst', fileRef(place), wanted, was);
  const there = yield* perform('load', loop);
  const started =
    there ?? (yield* createOrLoad({ loop, spec: specOf(place, reading, extras), session, cwd: place.cwd, machine }));
  if (session !== null && isOwner(started, session)) yield* perform('bindSession', session, loop);
  return started;
}

/** If someone else creates it at the same time and is faster, theirs is the loop. */
function* createOrLoad(request: StartRequest): Pipeline<Loaded> {
  try {
    return yield* startLoop(request);
  } catch (error) {
    if (!isFault(error) || error.code !== 'STATE_CONFLICT') throw error;
    return yield* mustLoad(request.loop);
  }
}

/** From `pending` to `running`; repeated if the power failed in between. The counter comes first: the next step writes it to the file. */
function* begin(live: LiveFile, loop: LoopId, reading: Document): Pipeline<Loaded> {
  const { counted } = reading;
  if (counted > 0)
    yield* handleEvent(loop, { kind: 'file-edited', edits: {}, limits: {}, counted, gone: false }, {}, live);
  const begun = yield* handleEvent(loop, { kind: 'baseline-taken' }, {}, live);
  return begun.loaded ?? (yield* mustLoad(loop));
}

/** For a loop that was created earlier: the file may have changed since, and the user's own limits and checks arrive with the first stop. */
function* beginLater(
  place: DialectPlace,
  { asked, state }: Loaded,
  reading: Document,
  extras: Extras,
): Pipeline<Loaded> {
  const { goal, claim, criteria, continuation, checks, finish, protect, room, timing, limits } = specOf(
    place,
    reading,
    extras,
  );
  const edits: Edits = {
    goal,
    claim,
    criteria,
    checks,
    protect,
    timing,
    ...(continuation === undefined ? {} : { continuation }),
    ...(finish === undefined ? {} : { finish }),
    ...(room === undefined ? {} : { room }),
    ...(asked.dialect === undefined || reading.checks !== undefined ? {} : { dialect: asked.dialect }),
  };
  const { counted } = reading;
  yield* handleEvent(state.loop, { kind: 'file-edited', edits, limits, counted, gone: false }, {}, place.live);
  return yield* begin(place.live, state.loop, reading);
}

function* mustLoad(loop: LoopId): Pipeline<Loaded> {
  const loaded = yield* perform('load', loop);
  if (loaded === undefined) throw new Error(`loop ${loop} was just started`);
  return loaded;
}

/** Only the guards that the document names, unless the user sets more. */
function specOf(place: DialectPlace, reading: Document, extras: Extras): Spec {
  const { goal, claim, criteria, continuation, timing } = reading;
  const free: Limits = {
    ...DEFAULT_LIMITS,
    durationMaxMs: 'unlimited',
    faultsInRowMax: 'unlimited',
    noProgressMax: 'unlimited',
  };
  return newSpec(goal, 'session', {
    claim,
    claimRequired: true,
    ...finishingOf(reading, extras.checks ?? []),
    criteria,
    protect: extras.protect ?? [],
    ...(extras.room === undefined ? {} : { room: extras.room }),
    limits: { ...free, ...documentLimits(reading), ...extras.limits },
    timing: { ...defaultTiming('session'), ...timing, ...extras.timing },
    dialect: {
      name: place.live.dialect.name,
      file: place.file,
      ...(reading.checks === undefined ? {} : { checks: reading.checks.map((check) => check.name) }),
      ...(reading.identity === undefined ? {} : { identity: reading.identity }),
      ...(turnsBefore(reading) === 0 ? {} : { turnsBefore: turnsBefore(reading) }),
    },
    continuation,
    ...(extras.delivery === undefined ? {} : { delivery: extras.delivery }),
  });
}

/** The document's checks and rule, then the user's: the user's own checks must pass, whatever completes the document's loop. */
function finishingOf(reading: Document, own: readonly CheckSpec[]): Pick<Spec, 'checks' | 'finish'> {
  const checks = [...(reading.checks ?? []), ...own];
  return reading.finish === undefined ? { checks } : { checks, finish: withOwnChecks(reading.finish, own) };
}

/** A change to the file, as an event; `null` reading = it is gone. While the loop is paused nothing is judged, so the file is taken at its word. */
export function editOf(reading: Document | null, loaded: Loaded, extras: Extras = {}): Event {
  const { asked, spec, state } = loaded;
  if (reading === null) return REMOVED;
  const { turnsBefore: before = 0 } = asked.dialect ?? {};
  const inFile = Math.max(0, reading.counted + before);
  if (reading.saysDone === true ? state.status === 'paused' : !reading.active)
    return {
      ...REMOVED,
      counted: inFile,
      because: reading.isCompleted === true ? 'file-completed' : 'file-switched-off',
    };
  const isCounted = reading.agentCounts === true && reading.counted === state.counted + 1;
  const counted = isCounted ? state.counted : inFile;
  const edits: Edits = {
    goal: reading.goal,
    claim: reading.claim,
    criteria: reading.criteria,
    continuation: reading.continuation,
    ...(reading.timing === undefined ? {} : { timing: { ...asked.timing, ...reading.timing, ...extras.timing } }),
    ...(reading.checks === undefined && reading.finish === undefined ? {} : finishingOf(reading, ownChecks(loaded))),
    ...renamedIn(spec, reading),
  };
  // Only limits that the file can express are taken from it: what the user set at a resume stays.
  const { noProgressMax: _, ...ofDocument } = documentLimits(reading, before);
  const limits = { ...ofDocument, ...extras.limits };
  return { kind: 'file-edited', edits, limits, counted, gone: false };
}

/** If a loop kept its file under a new identity (its goal was reworded), the new identity tells it from the next loop. */
function renamedIn({ dialect }: Spec, { identity, checks }: Document): Pick<Edits, 'dialect'> {
  if (dialect === undefined || identity === undefined) return {};
  const now = { ...dialect.identity, ...identity };
  const parts = ['id', 'startedAt', 'goal', 'topic'] as const;
  if (parts.every((part) => now[part] === dialect.identity?.[part])) return {};
  const names = checks === undefined ? {} : { checks: checks.map((check) => check.name) };
  return { dialect: { ...dialect, ...names, identity: now } };
}

/** The checks that are not defined in the file. A loop that began later (`beginLater`) got them then. */
export function ownChecks({ asked, spec, state }: Loaded): readonly CheckSpec[] {
  const { checks, dialect } = state.edits.dialect === undefined ? asked : spec;
  return checks.filter((check) => dialect?.checks?.includes(check.name) !== true);
}

/** The document determines the class of the failure and how often it is retried. */
function classifyByDocument(event: Event, reading: FileReading | null, { failureClassOf }: DialectPort): Event {
  if (event.kind !== 'turn-failed' || reading?.kind !== 'loop') return event;
  const { failure } = event;
  const named = failure.class === 'unknown' ? (failureClassOf?.(failure) ?? 'unknown') : failure.class;
  const triesMax = reading.triesMax?.[named];
  return { ...event, failure: { ...(triesMax === undefined ? {} : { triesMax }), ...failure, class: named } };
}

/** `current`: the loop, whose last reply may have begun the turn; absent = it starts with this stop. */
function reportOf(
  reading: FileReading | null,
  given: TurnReport,
  { dayTurnsMax }: Extras,
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
    ...(reading.costUsd === undefined || report.usage !== undefined ? {} : { costTotalUsd: reading.costUsd }),
  };
}

/** The first line of the prompt that sent the agent back; empty = it was not sent back. */
function replyLine(current: Loaded | undefined): string {
  if (current === undefined || isEnded(current.state) || current.state.lastTurn === null) return '';
  return deliveredPrompt(current.spec, current.state).line;
}

/** A file's loop is bound like a session's loop: under one derived path. */
function fileRef({ live }: Pick<DialectPlace, 'live'>): SessionRef {
  return { host: `dialect-${live.dialect.name}`, id: live.path };
}
