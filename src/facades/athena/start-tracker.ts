import path from 'node:path';
import { DEFAULT_TRACKER_TEMPLATE } from '../../dialects/athena/words.ts';
import { differsFromWorkflow, renderTracker } from '../../dialects/athena/write.ts';
import type { LoopConfig } from '../../dialects/athena/workflow.ts';
import type { Event } from '../../core/event.ts';
import { Fault } from '../../core/fault.ts';
import type { FileReading } from '../../core/foreign-file.ts';
import type { SessionRef } from '../../core/loop.ts';
import { isEnded } from '../../core/loop.ts';
import { isLiteralTemplate } from '../../core/template.ts';
import type { DialectPlace } from '../../engine/loop-of-file.ts';
import type { UserAdditions } from '../../engine/start-from-file.ts';
import { editOf } from '../../engine/file-edit.ts';
import { loopOfFile } from '../../engine/loop-of-file.ts';
import { startFromFile } from '../../engine/start-from-file.ts';
import { settleOwner } from '../../engine/file-owner.ts';
import { handleEvent } from '../../engine/handle-event.ts';
import type { FileBytes } from '../../engine/live-file.ts';
import { startsNewLoop, isEdited } from '../../engine/live-file.ts';
import type { Loaded } from '../../engine/ports.ts';
import { writeFileAtomic } from '../../system/files.ts';
import { sha256 } from '../../system/ids.ts';
import type { EmbeddedEngine } from '../embedded-engine.ts';
import { otherDriver } from './decision-words.ts';
import type { Logger } from './logger.ts';
import { prepareFolder } from './tracker-path.ts';

type Start = {
  readonly engine: EmbeddedEngine;
  readonly place: DialectPlace & { readonly session: SessionRef };
  readonly config: LoopConfig;
  readonly logger: Logger;
  readonly extras: UserAdditions;
};

/** If someone else keeps writing the tracker while we start, we give up after this many tries. */
const TRIES_MAX = 5;

/**
 * Prepares the tracker of a workflow that starts: an active one is taken over with its counter, a missing one is written, and one whose
 * loop has ended is put aside, whole, and replaced. An unreadable tracker may be someone's text: it stays, and no loop starts. The same
 * applies to a tracker that another session drives.
 */
export function startTracker(start: Start): void {
  const { engine, place, logger } = start;
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const bytes = engine.effects.readFile(place.live.path);
    const reading = bytes === null ? null : place.live.dialect.read(bytes.text);
    if (reading?.kind === 'invalid') {
      logger.warn(`Loop tracker ${place.live.path}: ${reading.why}. There is no loop until it is repaired or removed.`);
      return;
    }
    const known = engine.run(settleOwner(place, { known: engine.run(loopOfFile(place)), reading, bytes }, false));
    const other = known === undefined ? null : otherDriver(known, place.session);
    if (other !== null) {
      logger.warn(`Loop tracker ${place.live.path}: ${other}. This manager leaves it alone.`);
      return;
    }
    if (reading?.active === true && !isLeftover(known, bytes)) {
      reportDifferences(start, bytes);
      if (known === undefined || isEnded(known.state) || known.state.status === 'pending')
        engine.run(startFromFile(place, place.session, reading, start.extras));
      else if (isOtherMessage(known.spec.continuation, reading.continuation)) useMessage(start, known, reading, bytes);
      return;
    }
    if (bytes !== null) putAside(start, known, bytes.text);
    if (writeFresh(start, bytes)) return;
  }
  throw new Fault('STATE_CONFLICT', `Someone else keeps changing ${place.live.path}. Start again when it is quiet.`);
}

/** The power failed after the end was committed but before it was written: the bytes are those of the ended loop. */
export function isLeftover(known: Loaded | undefined, bytes: FileBytes): boolean {
  if (known === undefined || bytes === null || !isEnded(known.state)) return false;
  return !startsNewLoop(known.state, bytes);
}

/** Our own message has placeholders and may change with every version: only a user's message counts as a change. */
function isOtherMessage(known: string | undefined, now: string): boolean {
  return known !== now && (known === undefined || isLiteralTemplate(known) || isLiteralTemplate(now));
}

/**
 * The maximum and the marker are in the tracker too. It is unknown which of the two was edited, so the tracker counts and no limit changes
 * unnoticed.
 */
function reportDifferences({ place, config, logger }: Start, bytes: FileBytes): void {
  const names = bytes === null ? [] : differsFromWorkflow(bytes.text, config);
  if (names.length === 0) return;
  logger.info(
    `Loop tracker ${place.live.path}: it differs from the workflow in ${names.join(' and ')}. The tracker counts; edit it to change its loop.`,
  );
}

/** The continue message is in the workflow, not in the tracker: a change to it takes effect when the loop is continued. */
function useMessage(
  { engine, place, extras }: Start,
  known: Loaded,
  reading: FileReading & { kind: 'loop' },
  bytes: FileBytes,
): void {
  const edit: Event = isEdited(known.state, bytes)
    ? editOf(reading, known, extras)
    : {
        kind: 'file-edited',
        edits: { continuation: reading.continuation },
        limits: {},
        counted: known.state.counted,
        gone: false,
      };
  engine.run(handleEvent(known.state.loop, edit, {}, place.live));
}

function writeFresh({ engine, place, config, logger, extras }: Start, before: FileBytes): boolean {
  const body = config.trackerTemplate ?? DEFAULT_TRACKER_TEMPLATE;
  if (body.includes(config.completionMarker))
    logger.warn('The trackerTemplate contains the completionMarker, so the loop will end at its first stop.');
  const { maxIterations, completionMarker } = config;
  const text = renderTracker(
    { active: true, iteration: 0, maxIterations, completionMarker, body },
    new Date(engine.effects.readClock().wallMs).toISOString(),
  );
  prepareFolder(place.live.path);
  if (engine.effects.replaceFile(place.live.path, before?.hash ?? null, text) === 'changed') return false;
  const reading = place.live.dialect.read(text);
  if (reading.kind === 'loop') engine.run(startFromFile(place, place.session, reading, extras));
  return true;
}

/** Moved to its loop's history; a tracker without a loop is kept beside the new one. */
function putAside({ engine, place }: Start, known: Loaded | undefined, text: string): void {
  const { dir, name, ext } = path.parse(place.live.path);
  if (known !== undefined) engine.archive(known.state.loop, `${name}${ext}`, text);
  else writeFileAtomic(path.join(dir, `${name}.before-${sha256(text).slice(0, 12)}${ext}`), text, { durable: true });
}
