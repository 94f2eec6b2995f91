import type { Entry, Loop } from '../core/journal.ts';
import { foldEntry } from '../core/journal.ts';
import type { LoopId } from '../core/loop.ts';
import type { Milestone } from '../core/milestones.ts';
import { milestonesOf } from '../core/milestones.ts';
import type { Control } from './ports.ts';

/** Where journals are read from: a control port or a store. */
export type MilestoneSource = Pick<Control, 'watch'> & {
  readonly entries: (loop: LoopId) => readonly Entry[] | Promise<readonly Entry[]>;
};

export type MilestoneListener = {
  /** Called in order, once for each milestone. Awaited, so that milestones never overtake a slow listener. */
  readonly notify: (milestone: Milestone) => unknown;
  /** The journal could not be read, or `notify` threw. Listening continues. */
  readonly failed: (error: unknown) => void;
};

/**
 * Calls back for everything a loop reaches from now on, whoever drives it, in a session or outside. It only reads the journal, so a
 * listener can never delay or change the loop. A watch may coalesce changes: revisions show what has been reported already.
 */
export function onMilestone(
  control: MilestoneSource,
  loop: LoopId,
  listener: MilestoneListener,
): { readonly stop: () => void } {
  let stopped = false;
  let reported: number | null = null;
  // If one callback throws, the remaining milestones are still reported.
  const notifyNext = async (milestone: Milestone): Promise<void> => {
    if (stopped) return;
    try {
      await listener.notify(milestone);
    } catch (error) {
      listener.failed(error);
    }
  };
  const look = async (): Promise<void> => {
    if (stopped) return;
    try {
      const entries = await control.entries(loop);
      const after = reported;
      reported = Math.max(reported ?? 0, entries.at(-1)?.revision ?? 0);
      if (after === null) return;
      for (const milestone of since(entries, after)) await notifyNext(milestone);
    } catch (error) {
      listener.failed(error);
    }
  };
  // One at a time: two looks at once would report the same milestones twice.
  let queue = look();
  const watched = control.watch(loop, () => {
    queue = queue.then(look);
  });
  // Catches anything between the first look and the watch.
  queue = queue.then(look);
  return {
    stop: () => {
      stopped = true;
      watched.stop();
    },
  };
}

function since(entries: readonly Entry[], revision: number): readonly Milestone[] {
  const milestones: Milestone[] = [];
  let loop: Loop | null = null;
  for (const entry of entries) {
    const next = foldEntry(loop, entry);
    if (entry.revision > revision) milestones.push(...milestonesOf(loop?.state ?? null, entry, next.state));
    loop = next;
  }
  return milestones;
}
