import type { LoopId, SessionRef, State, Worker } from '../../core/loop.ts';
import type { UserAdditions } from '../../engine/start-from-file.ts';
import { handleEvent } from '../../engine/handle-event.ts';
import type { EmbeddedEngine } from '../embedded-engine.ts';
import type { Vault } from './vault.ts';

/** A loop whose stop has ended and whose request is not answered yet. Plain data, passed to the process that waits. */
export type WatchedLoop = {
  readonly loop: LoopId;
  readonly vault: Vault;
  /** Relative to the project. */
  readonly file: string;
  readonly session: SessionRef;
  readonly extras: UserAdditions;
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

/** The session is in use again: a watcher that waited for a person leaves it alone, unless its own agent is the one at work. */
export function endWatch(
  { run }: Pick<EmbeddedEngine, 'run'>,
  state: Pick<State, 'loop' | 'watcher'> | undefined,
  isOwnAgent: Watching['isOwnAgent'] | undefined,
): void {
  if (state?.watcher === undefined || isOwnAgent?.(state.watcher) === true) return;
  run(handleEvent(state.loop, { kind: 'watcher-ended', worker: state.watcher.id, why: 'session-returned' }));
}
