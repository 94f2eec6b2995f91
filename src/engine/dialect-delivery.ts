import type { DialectPlace } from './loop-of-file.ts';
import type { UserAdditions } from './start-from-file.ts';
import { handleDialectEvent } from './dialect-loop.ts';
import { loopOfFile } from './loop-of-file.ts';
import type { Pipeline } from './pipeline.ts';
import type { Loaded } from './ports.ts';

/** A hand edit may change the counter between the read and the commit; then it is read again. */
const BEGIN_TRIES_MAX = 2;

/**
 * Commits the start of the next iteration, for a session whose prompts are delivered after the decision. Call it before the prompt is sent:
 * the host may report the end of the turn before the delivery returns. Owner, hand edits and number are checked again; a second caller, in
 * this or another process, gets `undefined`.
 */
export function* beginIteration(place: DialectPlace, extras: UserAdditions): Pipeline<Loaded | undefined> {
  for (let attempt = 0; attempt < BEGIN_TRIES_MAX; attempt++) {
    const known = yield* loopOfFile(place);
    if (known === undefined) return undefined;
    const iteration = known.state.counted + 1;
    const event = { kind: 'iteration-began', iteration, worker: null } as const;
    // The agent may still be writing the file from its last turn.
    const report = { sentBack: known.state.counted > 0 };
    const { decision, loaded } = yield* handleDialectEvent(place, event, report, extras);
    if (decision.kind === 'record') return loaded;
    if (loaded === undefined || loaded.state.counted === known.state.counted) return undefined;
  }
  return undefined;
}
