import { runSync } from '../../engine/pipeline.ts';
import { NEVER, rehearsed, worldOfText } from '../../engine/rehearse.ts';
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
 * What the engine decides about a stop of a loop that lives only in someone's callbacks. Such a loop has no file and no journal, so one stop of
 * it is rehearsed: the state is rendered as a tracker, and the engine handles a stop beside that tracker in a world where nothing is kept. The
 * dialect and the core decide, as they do for a tracker on disk; there is no separate logic here that could differ. The caller tells the
 * callbacks what it means for the counter.
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
  return runSync(handleStopInFile(place, {}), rehearsed(worldOfText(text, sha256))).decision;
}
