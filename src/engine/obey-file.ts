import type { FileReading } from '../core/foreign-file.ts';
import { isEnded } from '../core/loop.ts';
import type { DialectPlace } from './dialect-loop.ts';
import { editOf, startFromFile, viewFile } from './dialect-loop.ts';
import { leaveFile } from './file-owner.ts';
import { handleEvent } from './handle-event.ts';
import type { LiveFile } from './live-file.ts';
import { beginsAnew, isEdited, isReplaced } from './live-file.ts';
import type { Pipeline } from './pipeline.ts';
import { perform } from './pipeline.ts';
import type { Loaded } from './ports.ts';

type Document = FileReading & { kind: 'loop' };

/** An open loop whose file is gone, replaced or switched off ends now: no stop may ever come to notice it. Everything else waits for one. */
export function* obeyFile(loaded: Loaded, live: LiveFile): Pipeline<Loaded> {
  if (isEnded(loaded.state)) return loaded;
  const bytes = yield* perform('readFile', live.path);
  const reading = bytes === null ? null : live.dialect.read(bytes.text);
  if (reading?.kind === 'invalid' || !isEdited(loaded.state, bytes)) return loaded;
  const { loop } = loaded.state;
  // An agent at work may be writing the file.
  if (isReplaced(loaded, bytes, reading, loaded.state.status === 'running')) return (yield* leaveFile(loop)) ?? loaded;
  const edit = editOf(reading, loaded);
  if (edit.kind !== 'file-edited' || !edit.gone) return loaded;
  return (yield* handleEvent(loop, edit, {}, live)).loaded ?? loaded;
}

/** The reading of an active file whose loop begins at the next stop; `null` = it is not one, or its loop is open or over. */
export function* waitingIn(live: LiveFile): Pipeline<Document | null> {
  const { bytes, reading, known } = yield* viewFile({ live });
  if (bytes === null || reading?.kind !== 'loop' || !reading.active) return null;
  if (known === undefined) return reading;
  return isEnded(known.state) && beginsAnew(known.state, bytes) ? reading : null;
}

/** Ends the loop of such a file before its first stop: the journal has it, and the file is switched off in the document's own way. */
export function* cancelWaiting(place: DialectPlace, reading: Document): Pipeline<Loaded> {
  const started = yield* startFromFile(place, null, reading, {});
  const { loaded } = yield* handleEvent(started.state.loop, { kind: 'cancel-requested' }, {}, place.live);
  return loaded ?? started;
}
