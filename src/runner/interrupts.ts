import type { LoopId } from '../core/loop.ts';
import { killEverythingNow } from '../system/kill.ts';
import type { InterruptSignal } from '../system/signals.ts';
import type { DriveOptions } from './drive-context.ts';

/**
 * The user at this terminal. The first interrupt is a pause like any other: posted first, then acted on. The second kills all processes of
 * the loop at once; pending work is abandoned, and the next driver can take the loop over.
 */
export type Interrupts = {
  /** `null` = not interrupted; resolves when the pause is committed, or has failed. Never rejects. */
  readonly pausing: () => Promise<void> | null;
  readonly isKilled: () => boolean;
  /** The result of the flow, or `killed` as soon as everything was killed, even if the flow still waits for something. */
  readonly orKilled: <T>(flow: Promise<T>) => Promise<T | 'killed'>;
  readonly close: () => void;
};

export type InterruptListener = { readonly onPaused: () => void; readonly onFailed: (error: unknown) => void };

/** Every process started by a loop carries this mark. */
export function processMarksOf(loop: LoopId): readonly string[] {
  return [`TIRELESS_LOOP=${loop}`];
}

/** Ctrl-C comes from a person. Someone who closes a terminal or ends processes has not asked for a pause. */
const NOT_BY_THE_USER: Partial<Record<InterruptSignal, string>> = {
  SIGHUP: 'its terminal was closed',
  SIGTERM: 'its driver received SIGTERM',
};

export function listenForInterrupts(options: DriveOptions, listener: InterruptListener): Interrupts {
  const { control, loop } = options;
  let pausing: Promise<void> | null = null;
  let isKilled = false;
  let onKilled: (() => void) | null = null;
  const pause = async (signal: InterruptSignal | undefined): Promise<void> => {
    try {
      // Anyone may request a pause, so running time counts only up to the last beat: beat now.
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
    orKilled: (flow) =>
      new Promise((resolve, reject) => {
        onKilled = () => resolve('killed');
        flow.then(resolve, reject);
      }),
    close,
  };
}
