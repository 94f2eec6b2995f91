import type { LoopId, State } from '../core/loop.ts';
import { isEnded } from '../core/loop.ts';

type Pruning = {
  /** Only loops that ended before this time. */
  readonly beforeMs: number;
  /** The newest ended loops, which stay however old they are. */
  readonly keep: number;
};

type Prunable = { readonly state: State };

/** The loops that may be removed, oldest first. Never includes an open loop, or one that a process still holds. */
export function choosePruned<L extends Prunable>(loops: readonly L[], { beforeMs, keep }: Pruning): readonly L[] {
  const ended = loops.filter(isRemovable).toSorted((a, b) => endOf(a) - endOf(b));
  const kept = new Set<LoopId>(ended.slice(Math.max(0, ended.length - keep)).map(({ state }) => state.loop));
  return ended.filter((each) => endOf(each) < beforeMs && !kept.has(each.state.loop));
}

/** Checked again right before the removal: a halted loop may have been resumed in between. */
export function isRemovable({ state }: Prunable): boolean {
  return isEnded(state) && state.worker === null;
}

function endOf({ state }: Prunable): number {
  return Date.parse(state.endedAt ?? state.updatedAt);
}
