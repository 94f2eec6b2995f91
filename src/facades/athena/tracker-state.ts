import type { SessionRef } from '../../core/loop.ts';
import { isEnded } from '../../core/loop.ts';
import type { TrackerDefaults } from '../../dialects/athena/read.ts';
import { readTracker } from '../../dialects/athena/read.ts';
import { defaultContinueMessage } from '../../dialects/athena/words.ts';
import type { LoopConfig } from '../../dialects/athena/workflow.ts';
import type { DialectPlace } from '../../engine/loop-of-file.ts';
import { loopOfFile } from '../../engine/loop-of-file.ts';
import { isReplaced } from '../../engine/live-file.ts';
import type { EmbeddedEngine } from '../embedded-engine.ts';
import { attachCounter } from './counted-blocks.ts';
import { pausedWhy, TRACKER_GONE, otherDriver } from './decision-words.ts';
import type { Logger } from './logger.ts';
import { failOpenLogged } from './logger.ts';
import type { LoopState } from './loop-state.ts';
import { isLeftover } from './start-tracker.ts';

export type ShownTracker = {
  readonly engine: EmbeddedEngine;
  readonly place: DialectPlace & { readonly session: SessionRef };
  readonly config: LoopConfig;
  readonly logger: Logger;
};

export type ShownStates = {
  /** Read from disk each time. `null` = this session has no readable tracker. */
  readonly read: (method: 'getState' | 'isActive') => LoopState | null;
  /** The iteration that was read last: an update is relative to it. */
  readonly iteration: () => number | null;
  /** No more warnings: we are about to remove the tracker. */
  readonly silence: () => void;
};

/** The states that a manager shows. Each problem is reported once, until it is solved. */
export function showStates(tracker: ShownTracker, readBlocks: () => number): ShownStates {
  const { place, config, logger } = tracker;
  let shown: number | null = null;
  let isSilent = false;
  const warned = new Map<string, string>();
  const warnOnce = (method: string, sentence: string): void => {
    if (warned.get(method) !== sentence && !isSilent) logger.warn(sentence);
    warned.set(method, sentence);
  };
  const read: ShownStates['read'] = (method) =>
    failOpenLogged({ ...logger, warn: (sentence) => warnOnce('', sentence) }, null, () => {
      const reading = readState(tracker, config);
      if (reading.kind === 'none') {
        // Every method reports a tracker that belongs to another session; a missing tracker is reported once.
        warnOnce(reading.isOther ? method : '', `Loop tracker ${place.live.path}: ${reading.why}. The agent may stop.`);
        return null;
      }
      if (reading.held === null) warned.clear();
      else warnOnce('', `Loop tracker ${place.live.path}: ${reading.held}. The agent may stop.`);
      shown = reading.state.iteration;
      return attachCounter(
        { ...reading.state, active: reading.state.active && reading.held === null },
        { readBlocks, logger },
      );
    });
  return {
    read,
    iteration: () => shown ?? read('getState')?.iteration ?? null,
    silence: () => {
      isSilent = true;
    },
  };
}

type StateReading =
  /** `held`: why the loop does not block now, although its tracker is active. */
  | { readonly kind: 'state'; readonly state: LoopState; readonly held: string | null }
  | { readonly kind: 'none'; readonly why: string; readonly isOther: boolean };

/** From the file, and from the journal if a crash kept the file from being written. */
export function readState(
  { engine, place }: Pick<ShownTracker, 'engine' | 'place'>,
  defaults: TrackerDefaults,
): StateReading {
  const bytes = engine.effects.readFile(place.live.path);
  const tracker = bytes === null ? { why: TRACKER_GONE } : readTracker(bytes.text, defaults);
  if ('why' in tracker) return { kind: 'none', why: tracker.why, isOther: false };
  const { body, ...fields } = tracker;
  const known = engine.run(loopOfFile(place));
  // The tracker was replaced, or its counter was lowered by hand: the next stop starts a new loop.
  const isOld =
    known !== undefined &&
    isReplaced(known, { bytes, reading: place.live.dialect.read(bytes?.text ?? '') }, { sentBack: true });
  const loaded = isOld ? undefined : known;
  const other = loaded === undefined ? null : otherDriver(loaded, place.session);
  if (other !== null) return { kind: 'none', why: other, isOther: true };
  const counted = loaded === undefined || isEnded(loaded.state) ? 0 : loaded.state.counted;
  const state = {
    ...fields,
    active: tracker.active && !isLeftover(loaded, bytes),
    iteration: Math.max(tracker.iteration, counted),
    continueMessage: defaults.continueMessage ?? defaultContinueMessage(place.file, tracker.completionMarker),
    trackerContent: body,
  };
  return { kind: 'state', state, held: loaded === undefined ? null : pausedWhy(loaded) };
}
