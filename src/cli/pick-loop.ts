import type { LoopQuery } from '../engine/choose-loop.ts';
import { chooseLoop } from '../engine/choose-loop.ts';
import type { Loaded, Store } from '../engine/ports.ts';
import { isInProjectOf } from '../system/project.ts';
import type { WantedLoop } from '../views/choice-fault.ts';
import { choiceFault } from '../views/choice-fault.ts';

export type Wanted = Pick<LoopQuery, 'given' | 'fits'> & {
  readonly kind: WantedLoop;
  /** Where the command was called. */
  readonly cwd: string;
};

/** The loop a command means. Throws `LOOP_NOT_FOUND` or `LOOP_AMBIGUOUS`. */
export function pickLoop(store: Pick<Store, 'load' | 'list'>, { kind, cwd, ...query }: Wanted): Loaded {
  const choice = chooseLoop(store, { ...query, isHere: isInProjectOf(cwd) });
  if (choice.kind === 'chosen') return choice.loaded;
  throw choiceFault(choice, kind);
}
