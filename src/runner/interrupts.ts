import type { LoopId } from '../core/loop.ts';
import { killEverythingNow } from '../system/kill.ts';
import type { InterruptSignal } from '../system/signals.ts';
import type { DriveOptions } from './drive-context.ts';

/**
 * The user at this terminal. The first interrupt is a pause like any other: posted first, acted on then. The second kills everything
 * of the loop at once; whatever is still pending is left, and the next driver finds a loop it can take over.
 */
export type Interrupts = {
  /** `null` = not interrupted; resolves when the pause is committed, or has failed. Never rejects. */
  readonly pausing: () => Promise<void> | null;
  readonly isKilled: () => boolean;
  /** The flow's own end, or `killed` as soon as everything was killed, whatever the flow is still waiting for. */
  readonly unlessKilled: <T>(flow: Promise<T>) => Promise<T | 'killed'>;
  readonly close: () => void;
};

export type InterruptListener = { readonly onPaused: () => void; readonly onFailed: (error: unknown) => void };

/** Every process that comes out of a loop carries it. */
export function processMarksOf(loop: LoopId): readonly string[] {
  return [`TIRELESS_LOOP=${loop}`];
}

/** A person presses Ctrl-C. Whoever closes a terminal, or ends processes, has not asked for a pause. */
const NOT_BY_THE_USER: Partial<Record<InterruptSignal, string>> = {
  SIGHUP: 'its terminal was closed',
  SIGTERM: 'its driver was told to end (SIGTERM)',
};

export function listenForInterrupts(options: DriveOptions, listener: InterruptListener): Interrupts {
  const { control, loop } = options;
  let pausing: Promise<void> | null = null;
  let isKilled = false;
  let onKilled: (() => void) | null = null;
  const pause = async (signal: InterruptSignal | undefined): Promise<void> => {
    try {
      // Anyone may ask for a pause, so running time counts only up to the last beat: make it this moment.
      options.heartbeat(options.clock.read());
      const trouble = signal === undefined ? undefined : NOT_BY_THE_USER[signal];
      await control.post(loop, { kind: 'pause-requested', ...(trouble === undefined ? {} : { trouble }) });
    } catch (error) {
      listener.onFailed(error);
    }
    listener.onPaused();
  };
  const close = options.interrupts.onInterrupt((signal) => {
    if (pausing === null) {
      pausing = pause(signal);
      return;
    }
    if (isKilled) return;
    isKilled = true;
    killEverythingNow({ pids: [], environment: processMarksOf(loop) });
    onKilled?.();
  });
  return {
    pausing: () => pausing,
    isKilled: () => isKilled,
    unlessKilled: (flow) =>
      new Promise((resolve, reject) => {
        onKilled = () => resolve('killed');
        flow.then(resolve, reject);
      }),
    close,
  };
}
