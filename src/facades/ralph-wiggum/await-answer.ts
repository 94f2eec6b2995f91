import type { LoopId } from '../../core/loop.ts';
import { isSameSession } from '../../core/loop.ts';
import type { DialectHandled, DialectPlace } from '../../engine/dialect-loop.ts';
import { endOf } from '../../engine/unseen-outcome.ts';
import type { VaultSession } from './vault-session.ts';
import { readFileLoop } from './vault-session.ts';

/** `over`: nobody waits for the answer here any more. `unreadable`: the file is damaged. `undefined` = no answer yet. */
export type Heard = DialectHandled | 'over' | 'unreadable' | undefined;

export type Wait = {
  readonly vaultSession: VaultSession;
  readonly place: DialectPlace;
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
export async function awaitAnswer(wait: Wait, asked: LoopId): Promise<Heard> {
  let unreadable = 0;
  for (let look = 0; look < wait.looksMax; look++) {
    await wait.untilNextLook();
    const heard = lookAgain(wait, asked);
    unreadable = heard === 'unreadable' ? unreadable + 1 : 0;
    if (heard !== undefined && (heard !== 'unreadable' || unreadable >= UNREADABLE_LOOKS)) return heard;
  }
  return undefined;
}

/** The host is looked at last: an answer that is taken after its exit would be lost. */
function lookAgain({ vaultSession, place, isHostGone, take }: Wait, asked: LoopId): Heard {
  const { engine, session } = vaultSession;
  // Otherwise an open handle would still show a journal that was removed.
  engine.close();
  const now = engine.store.load(asked);
  if (now === undefined) return 'over';
  const decision = endOf(now.state);
  if (decision !== null) return { decision, loaded: now, reading: null };
  const isHere = now.spec.driver === 'session' && isSameSession(now.state.session, session);
  if (!isHere || now.state.sessionLeft === true) return 'over';
  if (readFileLoop(vaultSession, place).saysOf === 'nothing') return 'unreadable';
  return isHostGone() ? 'over' : take();
}
