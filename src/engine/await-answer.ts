import type { SessionRef } from '../core/loop.ts';
import { isSameSession } from '../core/loop.ts';
import type { DialectHandled } from './dialect-loop.ts';
import type { Loaded } from './ports.ts';
import { endOf } from './unseen-outcome.ts';

/** `over`: nobody waits for the answer here any more. `unreadable`: the file is damaged. `undefined` = no answer yet. */
export type Heard = DialectHandled | 'over' | 'unreadable' | undefined;

export type Wait = {
  readonly session: SessionRef;
  /** The loop that waits, read again; `undefined` = its journal is gone. */
  readonly load: () => Loaded | undefined;
  /** Can its file not be read? */
  readonly isUnreadable: () => boolean;
  readonly looksMax: number;
  readonly untilNextLook: () => Promise<void>;
  /** Has the program that would read the reply exited? */
  readonly isHostGone: () => boolean;
  /** Takes the answer of a person; `undefined` = there is none yet. */
  readonly take: () => DialectHandled | undefined;
};

/** An editor may be writing it: only a file that is damaged at this many looks in a row counts as unreadable. */
const UNREADABLE_LOOKS = 2;

/** Waits within the time of one call. The watcher, a command or the file may end the loop meanwhile, and the host may exit. */
export async function awaitAnswer(wait: Wait): Promise<Heard> {
  let unreadable = 0;
  for (let look = 0; look < wait.looksMax; look++) {
    await wait.untilNextLook();
    const heard = lookAgain(wait);
    unreadable = heard === 'unreadable' ? unreadable + 1 : 0;
    if (heard !== undefined && (heard !== 'unreadable' || unreadable >= UNREADABLE_LOOKS)) return heard;
  }
  return undefined;
}

/** The host is looked at last: an answer that is taken after its exit would be lost. */
function lookAgain({ session, load, isUnreadable, isHostGone, take }: Wait): Heard {
  const now = load();
  if (now === undefined) return 'over';
  const decision = endOf(now.state);
  if (decision !== null) return { decision, loaded: now, reading: null };
  const isHere = now.spec.driver === 'session' && isSameSession(now.state.session, session);
  if (!isHere || now.state.sessionLeft === true) return 'over';
  if (isUnreadable()) return 'unreadable';
  return isHostGone() ? 'over' : take();
}
