import { advance } from '../core/advance.ts';
import { decide } from '../core/decide.ts';
import type { AbstainReason } from '../core/decision.ts';
import type { Event } from '../core/event.ts';
import { loopOf } from '../core/journal.ts';
import type { Loop } from '../core/journal.ts';
import type { Limits, Status } from '../core/loop.ts';
import { isEnded } from '../core/loop.ts';
import { editOf } from './file-edit.ts';
import { gather } from './gather.ts';
import type { LiveFile } from './live-file.ts';
import { isEdited, isReplaced, readLiveFile } from './live-file.ts';
import type { Pipeline } from './pipeline.ts';
import { perform } from './pipeline.ts';
import type { Loaded, TurnReport } from './ports.ts';

/** `null` = the loop is open and nothing changes, so no event is needed. */
export function resumeEventFor(
  status: Status,
  limits: Partial<Limits> = {},
): (Event & { kind: 'resume-requested' }) | null {
  const isChanged = Object.keys(limits).length > 0;
  if ((status === 'running' || status === 'pending') && !isChanged) return null;
  return { kind: 'resume-requested', ...(isChanged ? { limits } : {}) };
}

/**
 * Why a resume with these limits will be refused; `null` = it will not. Changes nothing, so call it before the loop is moved. `live`: its
 * file, if it lives in a foreign one.
 */
export function* whyNotResumed(
  found: Loaded,
  limits: Partial<Limits> | undefined,
  live: LiveFile | undefined,
  report: TurnReport,
): Pipeline<AbstainReason | null> {
  const event = resumeEventFor(found.state.status, limits);
  if (event === null) return null;
  const { spec, state } = live === undefined ? found : yield* asEdited(found, live);
  const evidence = yield* gather({ spec, state, event, report });
  const decision = decide(spec, state, event, evidence);
  return decision.kind === 'abstain' ? decision.because : null;
}

/** The loop as it will be once an edit of its file is applied. An edit that ends the loop is left to the event itself, which records the end. */
function* asEdited(found: Loaded, live: LiveFile): Pipeline<Loop> {
  const { asked, spec, state } = found;
  const view = yield* readLiveFile(live);
  if (isEnded(state) || view.reading?.kind !== 'loop' || !isEdited(state, view.bytes) || isReplaced(found, view))
    return found;
  const event = editOf(view.reading, found);
  const evidence = { clock: yield* perform('readClock') };
  const decision = decide(spec, state, event, evidence);
  const at = new Date(evidence.clock.wallMs).toISOString();
  return decision.kind === 'record' ? loopOf(asked, advance(spec, state, { at, event, evidence, decision })) : found;
}
