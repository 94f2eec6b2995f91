import type { Event } from '../core/event.ts';
import type { LoopId } from '../core/loop.ts';
import { isEnded } from '../core/loop.ts';
import { editOf } from './dialect-loop.ts';
import { leaveFile } from './file-owner.ts';
import { handleEvent } from './handle-event.ts';
import type { LiveFile } from './live-file.ts';
import { isEdited, isReplaced } from './live-file.ts';
import type { Pipeline } from './pipeline.ts';
import { perform } from './pipeline.ts';
import type { Handled, TurnReport } from './ports.ts';

/**
 * An event from outside its session (`tireless cancel`, `steer` …) for a loop that lives in a foreign file: what someone changed in the
 * file counts first, then the event, and the file says so. A file that cannot be read is left alone; the journal goes on without it.
 */
export function* handleLiveEvent(loop: LoopId, event: Event, report: TurnReport, live: LiveFile): Pipeline<Handled> {
  const loaded = yield* perform('load', loop);
  const bytes = yield* perform('readFile', live.path);
  const reading = bytes === null ? null : live.dialect.read(bytes.text);
  if (loaded === undefined || reading?.kind === 'invalid') return yield* handleEvent(loop, event, report);
  if (!isEnded(loaded.state) && isReplaced(loaded, bytes, reading)) {
    yield* leaveFile(loop);
    return yield* handleEvent(loop, event, report);
  }
  if (isEdited(loaded.state, bytes)) {
    const noticed = yield* handleEvent(loop, editOf(reading, loaded), {}, live);
    // Deleted or switched off is cancelled; who asks for that has it.
    if (noticed.decision.kind === 'cancel' && event.kind === 'cancel-requested') return noticed;
  }
  return yield* handleEvent(loop, event, report, live);
}
