import type { LoopId, SessionRef, Worker } from '../../core/loop.ts';
import type { Extras } from '../../engine/dialect-loop.ts';
import type { Vault } from './vault.ts';

/** A loop whose stop is over and whose request is not answered yet. Plain data: it is passed to the process that waits. */
export type WatchedLoop = {
  readonly loop: LoopId;
  readonly vault: Vault;
  /** Relative to the project. */
  readonly file: string;
  readonly session: SessionRef;
  readonly extras: Extras;
  /** How long to wait for an answer. */
  readonly watchMs: number;
};

/** What a stop hook needs if approvals are awaited after it has ended. */
export type Watching = {
  /** Starts the process that waits. */
  readonly begin: (watched: WatchedLoop) => void;
  /** Does this stop come from the agent that this watcher started? */
  readonly isOwnAgent: (watcher: Worker) => boolean;
  readonly watchMs: number;
};
