import type { TrackerDefaults } from '../../dialects/athena/read.ts';
import { athenaDialect } from '../../dialects/athena/dialect.ts';
import { DEFAULT_CONTINUE_MESSAGE } from '../../dialects/athena/words.ts';
import { readTracker } from '../../dialects/athena/read.ts';
import type { LoopConfig, OldLoopConfig } from '../../dialects/athena/workflow.ts';
import { readLoopConfig } from '../../dialects/athena/workflow.ts';
import { isEnded, isSameSession } from '../../core/loop.ts';
import type { DialectHandled, DialectPlace, Extras } from '../../engine/dialect-loop.ts';
import { cancelLoopOfFile, handleDialectEvent, loopOfFile } from '../../engine/dialect-loop.ts';
import { runSync } from '../../engine/pipeline.ts';
import { rehearsed } from '../../engine/rehearse.ts';
import type { EmbeddedEngine, EmbeddedEngineOptions } from '../embedded-engine.ts';
import { openEmbeddedEngine } from '../embedded-engine.ts';
import { logDecision, decisionInWords, TRACKER_GONE } from './decision-words.ts';
import type { Logger } from './logger.ts';
import { failOpen, PROCESS_LOGGER } from './logger.ts';
import type { LoopDecision, LoopState } from './loop-state.ts';
import { STOP } from './loop-state.ts';
import { removeTracker } from './remove-tracker.ts';
import { isLeftover, startTracker } from './start-tracker.ts';
import { placeOf } from './tracker-path.ts';

/** The document's six methods. None of them throws: whatever goes wrong is reported to the logger, and the agent may stop. */
export type LoopManager = {
  isActive(): boolean;
  /** From disk, each time. `null` = there is no tracker that can be read. */
  getState(): LoopState | null;
  /** What a stop would lead to now. Changes nothing. */
  evaluate(): LoopDecision;
  /** A stop is blocked. At the limit, or when the marker is there, this ends the loop instead: limits hold whoever calls. */
  incrementIteration(): void;
  deactivate(): void;
  /** Removes the tracker, archived first. For the end of the program. */
  cleanup(): void;
};

/** `settleStop`: one Stop through the engine: decided, committed, then answered. What the hook controller asks. */
export type EngineLoopManager = LoopManager & { settleStop(): LoopDecision };

/** What the document does not know: where loops are kept, who reads about it, and checks and limits beside the marker. */
export type LoopManagerOptions = EmbeddedEngineOptions & { readonly logger?: Logger; readonly extras?: Extras };

export function createLoopManager(
  trackerPath: string,
  config: LoopConfig | OldLoopConfig,
  options: LoopManagerOptions = {},
): EngineLoopManager {
  const logger = options.logger ?? PROCESS_LOGGER;
  const read = readLoopConfig(config);
  if (read.kind === 'invalid') {
    logger.warn(`The loop does not start: ${read.why}.`);
    return IDLE;
  }
  for (const notice of read.notices) logger.warn(notice);
  if (!read.config.enabled) return IDLE;
  const engine = failOpen(logger, null, () => openEmbeddedEngine({ warn: logger.warn, ...options }));
  if (engine === null) return IDLE;
  const place = placeOf(trackerPath, athenaDialect(read.config));
  const trackerLoop = { engine, place, config: read.config, logger, extras: options.extras ?? {} };
  failOpen(logger, undefined, () => startTracker(trackerLoop));
  return managerOf(trackerLoop);
}

/** Is there a tracker that a session which starts again should go on with? */
export function hasActiveTracker(trackerPath: string, options: LoopManagerOptions = {}): boolean {
  const logger = options.logger ?? PROCESS_LOGGER;
  return failOpen(logger, false, () => {
    const engine = openEmbeddedEngine(options);
    return stateOf({ engine, place: placeOf(trackerPath, athenaDialect()) }, {})?.active === true;
  });
}

type TrackerLoop = {
  readonly engine: EmbeddedEngine;
  readonly place: DialectPlace & { readonly session: NonNullable<DialectPlace['session']> };
  readonly config: LoopConfig;
  readonly logger: Logger;
  readonly extras: Extras;
};

function managerOf(trackerLoop: TrackerLoop): EngineLoopManager {
  const { engine, place, config, logger, extras } = trackerLoop;
  let isCleaned = false;
  let warned = '';
  const warnOnce = (sentence: string): void => {
    if (warned !== sentence && !isCleaned) logger.warn(sentence);
    warned = sentence;
  };
  const getState = (): LoopState | null =>
    failOpen({ ...logger, warn: warnOnce }, null, () => {
      const state = stateOf(trackerLoop, config, (why) =>
        warnOnce(`Loop tracker ${place.live.path}: ${why}. The agent may stop.`),
      );
      if (state !== null) warned = '';
      return state;
    });
  const stop = (): DialectHandled => engine.run(handleDialectEvent(place, STOP, {}, extras));
  const rehearse = (): DialectHandled =>
    runSync(handleDialectEvent(place, STOP, {}, extras), rehearsed(engine.effects));
  const settleStop = (): LoopDecision =>
    failOpen(logger, FAILED, () => {
      const worded = decisionInWords(stop());
      logDecision(logger, place.live.path, worded);
      return { action: worded.action, reason: worded.reason };
    });
  return {
    getState,
    isActive: () => getState()?.active ?? false,
    evaluate: () =>
      failOpen(logger, FAILED, () => {
        const { action, reason } = decisionInWords(rehearse());
        return { action, reason };
      }),
    settleStop,
    incrementIteration: () => {
      settleStop();
    },
    deactivate: () =>
      failOpen(logger, undefined, () => {
        const { kind } = rehearse().decision;
        // Done, or at the limit: then that is why it ends, and the journal should know.
        if (kind === 'complete' || kind === 'halt') settleStop();
        else cancel(trackerLoop);
      }),
    cleanup: () => {
      if (isCleaned) return;
      isCleaned = true;
      failOpen(logger, undefined, () => {
        if (cancel(trackerLoop)) removeTracker(trackerLoop);
        else logger.warn(`Loop tracker ${place.live.path}: it is left where it is, because another session drives it.`);
        engine.close();
      });
    },
  };
}

const FAILED: LoopDecision = { action: 'stop', reason: 'the loop could not be decided' };

const IDLE: EngineLoopManager = {
  isActive: () => false,
  getState: () => null,
  evaluate: () => ({ action: 'stop', reason: 'no loop' }),
  settleStop: () => ({ action: 'stop', reason: 'no loop' }),
  incrementIteration: () => undefined,
  deactivate: () => undefined,
  cleanup: () => undefined,
};

/** The file says it, and the journal where a crash kept the file from being written. */
function stateOf(
  { engine, place }: Pick<TrackerLoop, 'engine' | 'place'>,
  defaults: TrackerDefaults,
  complain: (why: string) => void = () => undefined,
): LoopState | null {
  const bytes = engine.effects.readFile(place.live.path);
  const tracker = bytes === null ? { why: TRACKER_GONE } : readTracker(bytes.text, defaults);
  if ('why' in tracker) {
    complain(tracker.why);
    return null;
  }
  const { body, ...fields } = tracker;
  const loaded = engine.run(loopOfFile(place));
  const counted = loaded === undefined || isEnded(loaded.state) ? 0 : loaded.state.counted;
  return {
    ...fields,
    active: tracker.active && !isLeftover(loaded, bytes),
    iteration: Math.max(tracker.iteration, counted),
    continueMessage: defaults.continueMessage ?? DEFAULT_CONTINUE_MESSAGE,
    trackerContent: body,
  };
}

/** `false`: another session drives the loop of this tracker, so both are theirs. */
function cancel({ engine, place }: TrackerLoop): boolean {
  return engine.run(cancelLoopOfFile(place, ({ state }) => isSameSession(state.session, place.session))) !== 'other';
}
