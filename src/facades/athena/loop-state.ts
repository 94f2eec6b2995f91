import { runSync } from '../../engine/pipeline.ts';
import { NEVER, withoutWrites, effectsOfText } from '../../engine/rehearse.ts';
import { handleStopInFile } from '../../engine/stop-in-file.ts';
import type { Decision } from '../../core/decision.ts';
import { athenaDialect } from '../../dialects/athena/dialect.ts';
import { renderTracker } from '../../dialects/athena/write.ts';
import { sha256 } from '../../system/ids.ts';

/** A loop as the document's callbacks represent it: its state, and the body of its tracker. */
export type LoopState = {
  active: boolean;
  iteration: number;
  maxIterations: number;
  completionMarker: string;
  continueMessage: string;
  /** Raw Markdown, below the front matter. */
  trackerContent: string;
};

export type LoopDecision = { action: 'continue'; reason: string } | { action: 'stop'; reason: string };

const FILE = 'loop-tracker.md';

/**
 * What the engine decides about a stop of a loop that lives only in someone's callbacks. Such a loop has no file and no journal, so one
 * stop of it is rehearsed: the state is rendered as a tracker, and the engine handles a stop beside that tracker in a world where nothing
 * is kept. The dialect and the core decide, as for a tracker on disk, so no separate logic can differ. The caller passes the result for the
 * counter to the callbacks.
 */
export function decideOn(state: LoopState): Decision {
  const { trackerContent, continueMessage, ...fields } = state;
  const text = renderTracker({ ...fields, body: trackerContent }, new Date(NEVER.wallMs).toISOString());
  const place = {
    live: { dialect: athenaDialect({ continueMessage }), path: FILE },
    cwd: '.',
    file: FILE,
    session: { host: 'athena', id: 'callbacks' },
  };
  return runSync(handleStopInFile(place, {}), withoutWrites(effectsOfText(text, sha256))).decision;
}
