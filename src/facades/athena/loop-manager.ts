import { athenaDialect } from '../../dialects/athena/dialect.ts';
import type { LoopConfig, OldLoopConfig } from '../../dialects/athena/workflow.ts';
import { readLoopConfig } from '../../dialects/athena/workflow.ts';
import { whyNotDayTurns } from '../../dialects/day-limit.ts';
import { setBackText } from '../../dialects/set-back.ts';
import type { DialectHandled } from '../../engine/dialect-loop.ts';
import type { UserAdditions } from '../../engine/start-from-file.ts';
import { cancelLoopOfFile } from '../../engine/live-event.ts';
import type { Pipeline } from '../../engine/pipeline.ts';
import { runSync } from '../../engine/pipeline.ts';
import { withoutWrites } from '../../engine/rehearse.ts';
import { handleStopInFile } from '../../engine/stop-in-file.ts';
import type { EmbeddedEngineOptions } from '../embedded-engine.ts';
import { openEmbeddedEngine } from '../embedded-engine.ts';
import { decisionInWords, logDecision, otherDriver } from './decision-words.ts';
import type { Logger } from './logger.ts';
import { failOpenLogged, PROCESS_LOGGER } from './logger.ts';
import type { LoopDecision, LoopState } from './loop-state.ts';
import { removeTracker } from './remove-tracker.ts';
import { startTracker } from './start-tracker.ts';
import { placeOf } from './tracker-path.ts';
import type { ShownTracker } from './tracker-state.ts';
import { readState, showStates } from './tracker-state.ts';
import { updateTracker } from './update-tracker.ts';

/** The document's six methods. None of them throws: errors are reported to the logger, and the agent may stop. */
export type LoopManager = {
  isActive(): boolean;
  /** Read from disk each time. `null` = there is no readable tracker. */
  getState(): LoopState | null;
  /** What a stop would decide now. Changes nothing. */
  evaluate(): LoopDecision;
  /** Records a blocked stop. At the limit, or if the marker is present, this ends the loop instead: limits apply whoever calls. */
  incrementIteration(): void;
  deactivate(): void;
  /** Archives and removes the tracker. For the end of the program. */
  cleanup(): void;
};

/** What `createLoopManager` returns in addition to the document's methods. */
export type EngineLoopManager = LoopManager & {
  /** Runs one Stop through the engine: decided, committed, then answered. */
  settleStop(): LoopDecision;
  /** Applies `updateLoopState`: each value is used, or refused with a warning. */
  applyUpdate(update: Partial<LoopState>): void;
};

export function isEngineManager(manager: LoopManager): manager is EngineLoopManager {
  return 'settleStop' in manager && 'applyUpdate' in manager;
}

/** Options that the document does not have: where loops are kept, who gets the reports, and checks and limits besides the marker. */
export type LoopManagerOptions = EmbeddedEngineOptions & {
  readonly logger?: Logger;
  readonly extras?: UserAdditions;
  /** How many turns all loops in the project's state files may take per day; absent = 1000. */
  readonly dayTurnsMax?: number | 'unlimited';
};

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
  const engine = failOpenLogged(logger, null, () => openEmbeddedEngine({ warn: logger.warn, ...options }));
  if (engine === null) return IDLE;
  const place = placeOf(trackerPath, athenaDialect(read.config));
  const trackerLoop = { engine, place, config: read.config, logger, extras: extrasOf(options, logger) };
  failOpenLogged(logger, undefined, () => startTracker(trackerLoop));
  return managerOf(trackerLoop);
}

function extrasOf({ extras = {}, dayTurnsMax }: LoopManagerOptions, logger: Logger): UserAdditions {
  if (dayTurnsMax === undefined) return extras;
  const refused = whyNotDayTurns(dayTurnsMax);
  if (refused === null) return { ...extras, dayTurnsMax };
  logger.warn(`${refused}: the default is used.`);
  return extras;
}

/** Is there a tracker that a restarted session should continue with? */
export function hasActiveTracker(trackerPath: string, options: LoopManagerOptions = {}): boolean {
  const logger = options.logger ?? PROCESS_LOGGER;
  return failOpenLogged(logger, false, () => {
    const engine = openEmbeddedEngine(options);
    const read = readState({ engine, place: placeOf(trackerPath, athenaDialect()) }, {});
    if (read.kind === 'none' && read.isOther) logger.warn(`Loop tracker ${trackerPath}: ${read.why}.`);
    return read.kind === 'state' && read.state.active;
  });
}

/**
 * The manager began its loop itself, so an older tracker that is written afterwards comes from the agent, who gains no iterations from the
 * lower counter.
 */
const MANAGED = { sentBack: true } as const;

type TrackerLoop = ShownTracker & { readonly extras: UserAdditions };

function managerOf(trackerLoop: TrackerLoop): EngineLoopManager {
  const { engine, place, logger, extras } = trackerLoop;
  const { path: file } = place.live;
  let isCleaned = false;
  let blocks = 0;
  const shown = showStates(trackerLoop, () => blocks);
  const stop = (): Pipeline<DialectHandled> => handleStopInFile(place, MANAGED, { extras });
  const rehearse = (): DialectHandled => runSync(stop(), withoutWrites(engine.effects));
  const settleStop = (): LoopDecision =>
    failOpenLogged(logger, FAILED, () => {
      const handled = engine.run(stop());
      const worded = decisionInWords(handled, place.session);
      logDecision(logger, file, worded);
      const setBack = setBackText(handled);
      if (setBack !== null) logger.warn(`Loop tracker ${file}: ${setBack}.`);
      if (worded.action === 'continue') blocks += 1;
      return { action: worded.action, reason: worded.reason };
    });
  const incrementIteration = (): void => void settleStop();
  const deactivate = (): void =>
    failOpenLogged(logger, undefined, () => {
      const { kind } = rehearse().decision;
      // Done, or at the limit: that is why the loop ends, and the journal should record it.
      if (kind === 'complete' || kind === 'halt') settleStop();
      else if (!cancel(trackerLoop))
        logger.warn(`Loop tracker ${file}: it stays active, because another session drives it.`);
    });
  return {
    getState: () => shown.read('getState'),
    isActive: () => shown.read('isActive')?.active ?? false,
    evaluate: () =>
      failOpenLogged(logger, FAILED, () => {
        const handled = rehearse();
        const { action, reason } = decisionInWords(handled, place.session);
        if (handled.loaded !== undefined && otherDriver(handled.loaded, place.session) !== null)
          logger.warn(`Loop tracker ${file}: ${reason}. The agent may stop.`);
        return { action, reason };
      }),
    settleStop,
    incrementIteration,
    deactivate,
    applyUpdate: (update) =>
      failOpenLogged(logger, undefined, () =>
        updateTracker({ ...trackerLoop, incrementIteration, deactivate }, update, shown.iteration()),
      ),
    cleanup: () => {
      if (isCleaned) return;
      isCleaned = true;
      shown.silence();
      failOpenLogged(logger, undefined, () => {
        if (cancel(trackerLoop)) removeTracker(trackerLoop);
        else logger.warn(`Loop tracker ${file}: it is left where it is, because another session drives it.`);
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
  applyUpdate: () => undefined,
  incrementIteration: () => undefined,
  deactivate: () => undefined,
  cleanup: () => undefined,
};

/** `false`: another session drives the loop of this tracker, so both belong to that session. */
function cancel({ engine, place }: TrackerLoop): boolean {
  return engine.run(cancelLoopOfFile(place, (known) => otherDriver(known, place.session) === null)) !== 'other';
}
