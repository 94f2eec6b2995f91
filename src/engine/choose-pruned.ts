import type { LoopId, State } from '../core/loop.ts';
import { isEnded } from '../core/loop.ts';

type Pruning = {
  /** Only loops that ended before this time. */
  readonly beforeMs: number;
  /** So many of the ended loops stay, the newest, however old they are. */
  readonly keep: number;
};

type Prunable = { readonly state: State };

/** The loops that may be removed, oldest first. Whatever is open, or still held by a process, is never among them. */
export function choosePruned<L extends Prunable>(loops: readonly L[], { beforeMs, keep }: Pruning): readonly L[] {
  const ended = loops.filter(isRemovable).toSorted((a, b) => endOf(a) - endOf(b));
  const kept = new Set<LoopId>(ended.slice(Math.max(0, ended.length - keep)).map(({ state }) => state.loop));
  return ended.filter((each) => endOf(each) < beforeMs && !kept.has(each.state.loop));
}

/** Asked again by whoever removes it: a halted loop may have been resumed in between. */
export function isRemovable({ state }: Prunable): boolean {
  return isEnded(state) && state.worker === null;
}

function endOf({ state }: Prunable): number {
  return Date.parse(state.endedAt ?? state.updatedAt);
}
