import type { SessionRef } from '../core/loop.ts';
import { isSameSession } from '../core/loop.ts';
import type { DialectHandled } from './dialect-loop.ts';
import type { Loaded } from './ports.ts';
import { endOf } from './unseen-outcome.ts';

/** `over`: nobody waits for the answer here any more. `unreadable`: the file is damaged. `undefined` = no answer yet. */
export type AwaitResult = DialectHandled | 'over' | 'unreadable' | undefined;

export type AwaitRequest = {
  readonly session: SessionRef;
  /** The loop that waits, read again; `undefined` = its journal is gone. */
  readonly load: () => Loaded | undefined;
  /** Can its file not be read? */
  readonly isUnreadable: () => boolean;
  readonly looksMax: number;
  readonly pauseBeforeNextLook: () => Promise<void>;
  /** Has the program that would read the reply exited? */
  readonly isHostGone: () => boolean;
  /** Takes the answer of a person; `undefined` = there is none yet. */
  readonly take: () => DialectHandled | undefined;
};

/** An editor may be writing the file, so it counts as unreadable only after this many failed looks in a row. */
const UNREADABLE_LOOKS = 2;

/** Waits within the time of one call. In the meantime the watcher, a command or the file may end the loop, and the host may exit. */
export async function awaitAnswer(wait: AwaitRequest): Promise<AwaitResult> {
  let unreadable = 0;
  for (let look = 0; look < wait.looksMax; look++) {
    await wait.pauseBeforeNextLook();
    const result = lookAgain(wait);
    unreadable = result === 'unreadable' ? unreadable + 1 : 0;
    if (result !== undefined && (result !== 'unreadable' || unreadable >= UNREADABLE_LOOKS)) return result;
  }
  return undefined;
}

/** The host is checked last: an answer taken after its exit would be lost. */
function lookAgain({ session, load, isUnreadable, isHostGone, take }: AwaitRequest): AwaitResult {
  const now = load();
  if (now === undefined) return 'over';
  const decision = endOf(now.state);
  if (decision !== null) return { decision, loaded: now, reading: null };
  const isHere = now.spec.driver === 'session' && isSameSession(now.state.session, session);
  if (!isHere || now.state.sessionLeft === true) return 'over';
  if (isUnreadable()) return 'unreadable';
  return isHostGone() ? 'over' : take();
}
