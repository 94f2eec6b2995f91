import { assert } from '../core/fault.ts';
import type { State, Status } from '../core/loop.ts';
import type { DriveOptions } from './drive-context.ts';
import { listenForInterrupts, type Interrupts } from './interrupts.ts';

/** A piece of work that may have to end early. */
export type StoppableWork = {
  /** Does the loop, in its current state, still want this work? */
  readonly isAwaited: (state: State) => boolean;
  /** Called at most once, when the loop no longer wants it. The section ends when both the work and this are done. */
  readonly abandon: () => void | Promise<void>;
};

/**
 * What can end work early: someone else changed the journal, or the user at this terminal interrupted. One section at a time, and nothing
 * is kept of a section that has ended, so a thousand iterations leave nothing behind.
 */
export type EarlyStop = Pick<Interrupts, 'isKilled' | 'orKilled' | 'close'> & {
  readonly during: <T>(section: StoppableWork, work: () => Promise<T>) => Promise<T>;
  readonly isInterrupted: () => boolean;
  /** Resolves when the pause of an interrupt, if any, is committed; throws any error that occurred in between. */
  readonly settled: () => Promise<void>;
};

type Active = StoppableWork & { abandoned: Promise<void> | null };

export function watchForEarlyStop(options: DriveOptions): EarlyStop {
  const { control, loop, onProgress } = options;
  let active: Active | null = null;
  let trouble: { readonly error: unknown } | null = null;
  const onFailed = (error: unknown): void => {
    trouble ??= { error };
  };
  const abandon = (section: Active | null, status?: Status): void => {
    // A section that has ended has nothing left to end, and the current work is not its own.
    if (section === null || section !== active || section.abandoned !== null) return;
    const moved = { reason: 'loop-moved', ...(status === undefined ? {} : { status }) } as const;
    onProgress({ kind: 'stopping', ...(interrupts.pausing() === null ? moved : { reason: 'interrupt' }) });
    section.abandoned = Promise.resolve().then(section.abandon).catch(onFailed);
  };
  const interrupts = listenForInterrupts(options, { onPaused: () => abandon(active), onFailed });
  const look = startLook(async () => {
    const section = active;
    if (section === null) return;
    try {
      const loaded = await control.get(loop);
      if (loaded === undefined || !section.isAwaited(loaded.state)) abandon(section, loaded?.state.status);
    } catch (error) {
      onFailed(error);
      abandon(section);
    }
  });
  const watching = control.watch(loop, look);
  return {
    ...interrupts,
    during: async (section, work) => {
      assert(active === null, 'a driver does one thing at a time');
      const mine: Active = { ...section, abandoned: null };
      active = mine;
      // Since the state for this work was read, the loop may have changed, or the user may have pressed Ctrl-C.
      void interrupts.pausing()?.then(() => abandon(mine));
      look();
      try {
        return await work();
      } finally {
        active = null;
        await mine.abandoned;
      }
    },
    isInterrupted: () => interrupts.pausing() !== null,
    settled: async () => {
      await interrupts.pausing();
      if (trouble !== null) throw trouble.error;
    },
    close: () => {
      watching.stop();
      interrupts.close();
    },
  };
}

/** Calls that arrive during a look cause one more look, not one each. `lookOnce` never rejects. */
function startLook(lookOnce: () => Promise<void>): () => void {
  let isWanted = false;
  let isLooking = false;
  const run = async (): Promise<void> => {
    isLooking = true;
    while (isWanted) {
      isWanted = false;
      await lookOnce();
    }
    isLooking = false;
  };
  return () => {
    isWanted = true;
    if (!isLooking) void run();
  };
}
