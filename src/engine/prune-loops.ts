import type { LoopId } from '../core/loop.ts';
import { choosePruned } from './choose-pruned.ts';
import type { Loaded, Store } from './ports.ts';

/** Frees disk space. */
export type Pruner = {
  readonly bytesOf: (loop: LoopId) => number;
  /** `kept`: the loop was resumed or removed after it was chosen. */
  readonly remove: (loop: LoopId) => Promise<'removed' | 'kept'>;
  /** Folders of ours that belong to no loop and no process. Folders that people may still look at stay until they are older than `beforeMs`. */
  readonly strays: (beforeMs: number) => readonly Stray[];
  readonly removeStray: (stray: Stray) => void;
};

export type Stray = { readonly path: string; readonly bytes: number };

/** What a prune would remove. */
export type PrunePlan = {
  readonly loops: readonly { readonly loaded: Loaded; readonly bytes: number }[];
  readonly strays: readonly Stray[];
};

/** `kept`: changed after they were chosen. */
export type PruneResult = {
  readonly loops: readonly LoopId[];
  readonly kept: readonly LoopId[];
  readonly strays: number;
  readonly bytes: number;
};

/** `hasStateFile`: a loop whose state file still exists is kept, because without a record of its end the file would begin a new loop. */
export function planPrune(
  limits: { readonly beforeMs: number; readonly keep: number },
  store: Pick<Store, 'list'>,
  { pruner, hasStateFile }: { readonly pruner: Pruner; readonly hasStateFile: (loaded: Loaded) => boolean },
): PrunePlan {
  const loops = choosePruned(store.list({ ended: true }), limits).filter((loaded) => !hasStateFile(loaded));
  return {
    loops: loops.map((loaded) => ({ loaded, bytes: pruner.bytesOf(loaded.state.loop) })),
    strays: pruner.strays(limits.beforeMs),
  };
}

export async function prunePlanned({ loops, strays }: PrunePlan, pruner: Pruner): Promise<PruneResult> {
  const gone: LoopId[] = [];
  const kept: LoopId[] = [];
  let bytes = 0;
  for (const { loaded, bytes: size } of loops) {
    const { loop } = loaded.state;
    if ((await pruner.remove(loop)) === 'kept') {
      kept.push(loop);
      continue;
    }
    gone.push(loop);
    bytes += size;
  }
  for (const stray of strays) {
    pruner.removeStray(stray);
    bytes += stray.bytes;
  }
  return { loops: gone, kept, strays: strays.length, bytes };
}
