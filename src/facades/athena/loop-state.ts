import { handleDialectEvent } from '../../engine/dialect-loop.ts';
import { runSync } from '../../engine/pipeline.ts';
import type { Effects } from '../../engine/ports.ts';
import { rehearsed } from '../../engine/rehearse.ts';
import type { Decision } from '../../core/decision.ts';
import type { Event } from '../../core/event.ts';
import { assert } from '../../core/fault.ts';
import { athenaDialect } from '../../dialects/athena/dialect.ts';
import { renderTracker } from '../../dialects/athena/write.ts';
import { stopEvent } from '../embedded-engine.ts';
import { sha256 } from '../../system/ids.ts';

/** A loop as the document's callbacks give it: where it stands, and the body of its tracker. */
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

/** No mark: the document counts every stop that is reported. */
export const STOP: Event = stopEvent('');

const FILE = 'loop-tracker.md';
const NEVER = { wallMs: 0, monotonicMs: 0, boot: 'none' };

/**
 * What the engine decides about a stop of a loop that lives only in someone's callbacks. Such a loop has no file and no journal, so one
 * stop of it is played through: the state is written as the tracker it would be, and the engine handles a stop beside that tracker in a
 * world where nothing is kept. The dialect and the core decide, as they do for a tracker on disk; there is no flow of our own here that
 * could differ. What it means for the counter is told to the callbacks by whoever asked.
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
  return runSync(handleDialectEvent(place, STOP, {}), rehearsed(worldWith(text))).decision;
}

function worldWith(text: string): Effects {
  return {
    readClock: () => NEVER,
    load: () => undefined,
    create: unexpected,
    commit: unexpected,
    probe: ({ requests }) => requests.map(() => ({ kind: 'workspace', fingerprint: null })),
    newLoop: () => ({ loop: 'callbacks', machine: 'none' }),
    bindSession: unexpected,
    bindFirst: unexpected,
    loopOfSession: () => undefined,
    readFile: () => ({ text, hash: sha256(text) }),
    hashText: (some) => sha256(some),
    replaceFile: unexpected,
  };
}

function unexpected(): never {
  assert(false, 'a rehearsal keeps what it changes to itself');
}
