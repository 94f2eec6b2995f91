import { isFault } from '../core/fault.ts';
import type { FileReading } from '../core/foreign-file.ts';
import { documentLimits, turnsBefore } from '../core/foreign-file.ts';
import type { Edits, Limit, Limits, LoopId, SessionRef, Spec, Timing } from '../core/loop.ts';
import { DEFAULT_LIMITS, isEnded } from '../core/loop.ts';
import { isOwner } from './file-owner.ts';
import { handleEvent } from './handle-event.ts';
import { withOwnChecksKept } from './late-extras.ts';
import type { LiveFile } from './live-file.ts';
import type { DialectPlace } from './loop-of-file.ts';
import { fileRef } from './loop-of-file.ts';
import { defaultTiming, newSpec } from './new-spec.ts';
import { finishingOf } from './own-checks.ts';
import type { Pipeline } from './pipeline.ts';
import { perform } from './pipeline.ts';
import type { Loaded, StartRequest } from './ports.ts';
import { startLoop } from './start-loop.ts';

/** What the user requested in addition to the document: limits, times and checks. */
export type UserAdditions = Partial<Pick<Spec, 'checks' | 'protect' | 'room' | 'delivery'>> & {
  readonly limits?: Partial<Limits>;
  readonly timing?: Partial<Timing>;
  /** How many turns a day all loops in the state files of the project may take. */
  readonly dayTurnsMax?: Limit;
};

type Document = FileReading & { kind: 'loop' };

/**
 * Starts a loop for a file that has no open one. If several callers do so at once, they all get the same loop: the binding fixes its id
 * once, and any of them may create it. The baseline is empty: documents have no checks, and additional ones first run at the first stop.
 */
export function* startFromFile(
  place: DialectPlace,
  session: SessionRef | null,
  reading: Document,
  extras: UserAdditions,
): Pipeline<Loaded> {
  const created = yield* createFromFile(place, session, reading, extras);
  const isTaken = session === null ? created.state.session !== null : !isOwner(created, session);
  return isTaken ? created : yield* begin(place.live, created.state.loop, reading);
}

/**
 * Creates the loop of a new file before its first stop, which begins it and brings the user's additional requests. `session`: the file
 * names none but was written for this one, so other sessions leave it alone; `null` = it belongs to the session that stops first. Returns
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
  extras: UserAdditions,
): Pipeline<Loaded> {
  const { loop: wanted, machine } = yield* perform('newLoop');
  const was = yield* perform('loopOfSession', fileRef(place));
  const before = was === undefined ? undefined : yield* perform('load', was);
  // Bound but not created: the process that started it died, or has not got that far yet.
  const isOpen = was !== undefined && (before === undefined || !isEnded(before.state));
  const loop = isOpen ? was : yield* perform('bindFirst', fileRef(place), wanted, was);
  const there = yield* perform('load', loop);
  const started =
    there ?? (yield* createOrLoad({ loop, spec: specOf(place, reading, extras), session, cwd: place.cwd, machine }));
  if (session !== null && isOwner(started, session)) yield* perform('bindSession', session, loop);
  return started;
}

/** If someone else creates it faster, theirs is the loop. */
function* createOrLoad(request: StartRequest): Pipeline<Loaded> {
  try {
    return yield* startLoop(request);
  } catch (error) {
    if (!isFault(error) || error.code !== 'STATE_CONFLICT') throw error;
    return yield* mustLoad(request.loop);
  }
}

/** From `pending` to `running`; runs again if the power failed in between. The counter comes first, because the next step writes it to the file. */
function* begin(live: LiveFile, loop: LoopId, reading: Document): Pipeline<Loaded> {
  const { counted } = reading;
  if (counted > 0)
    yield* handleEvent(loop, { kind: 'file-edited', edits: {}, limits: {}, counted, gone: false }, {}, live);
  const begun = yield* handleEvent(loop, { kind: 'baseline-taken' }, {}, live);
  return begun.loaded ?? (yield* mustLoad(loop));
}

/** For a loop that was created earlier: the file may have changed since, and the user's own limits and checks arrive with the first stop. */
export function* beginLater(
  place: DialectPlace,
  { asked, state }: Loaded,
  reading: Document,
  extras: UserAdditions,
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
    ...withOwnChecksKept(asked, reading),
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

/** Only the guards that the document names, unless the user adds some. */
function specOf(place: DialectPlace, reading: Document, extras: UserAdditions): Spec {
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
