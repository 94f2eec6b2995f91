import type { LoopQuery } from '../engine/choose-loop.ts';
import { chooseLoop } from '../engine/choose-loop.ts';
import type { Loaded, Store } from '../engine/ports.ts';
import { isInProjectOf } from '../system/project.ts';
import type { LoopKind } from '../views/choice-fault.ts';
import { choiceFault } from '../views/choice-fault.ts';

export type LoopRequest = Pick<LoopQuery, 'given' | 'fits'> & {
  readonly kind: LoopKind;
  /** Where the command was called. */
  readonly cwd: string;
};

/** The loop a command means. Throws `LOOP_NOT_FOUND` or `LOOP_AMBIGUOUS`. */
export function pickLoop(store: Pick<Store, 'load' | 'list'>, { kind, cwd, ...query }: LoopRequest): Loaded {
  const choice = chooseLoop(store, { ...query, isHere: isInProjectOf(cwd) });
  if (choice.kind === 'chosen') return choice.loaded;
  throw choiceFault(choice, kind);
}
