import type { LoopId } from '../../core/loop.ts';
import { promptOf } from '../../core/prompt.ts';
import type { LoopFile } from './loop-file.ts';
import { Log } from './log.ts';
import { HOOK_NAME } from './ralph-loop.ts';

/** The shortest interval between looks at a session that is being repaired. */
const HELD_MS_MIN = 250;

/** Prompts on their way into a session: delivered after the session had time to settle, and only if the loop still wants them. */
export type Delivery = {
  /** One prompt at a time: a second stop in the settle window belongs to an iteration that has ended. */
  readonly isPending: (sessionId: string) => boolean;
  readonly schedule: (sessionId: string, loop: LoopId) => void;
  /** `false`: no settle time was requested, so a second stop is always a separate one. */
  readonly hasWindow: boolean;
  /** Delivers a waiting prompt now: the current stop is the stop of its iteration. */
  readonly flush: (sessionId: string) => void;
  readonly forget: (sessionId: string) => void;
};

type DeliveryOptions = {
  readonly file: LoopFile;
  readonly delayMs: number;
  readonly injectPrompt: (sessionId: string, prompt: string) => Promise<void>;
  /** Others are at work in this session, and a prompt would disturb them. */
  readonly isHeld: (sessionId: string) => boolean;
  /** Never throws. */
  readonly reportFailure: (sessionId: string, error: unknown) => void;
};

export function createDelivery(options: DeliveryOptions): Delivery {
  const { file, delayMs, injectPrompt, isHeld, reportFailure } = options;
  const pending = new Map<string, { readonly loop: LoopId; readonly timer: NodeJS.Timeout }>();

  /** The iteration counts whatever `injectPrompt` does: it may fail after the agent has worked, so the count is never reverted. */
  const deliver = async (sessionId: string, loop: LoopId): Promise<void> => {
    try {
      const begun = file.begin(sessionId, loop);
      if (begun === undefined) Log.info(`[${HOOK_NAME}] Not injected: the loop does not wait for it`, { sessionId });
      else await injectPrompt(sessionId, promptOf(begun.spec, begun.state));
    } catch (error) {
      reportFailure(sessionId, error);
    }
  };

  const forget = (sessionId: string): void => {
    clearTimeout(pending.get(sessionId)?.timer);
    pending.delete(sessionId);
  };

  return {
    isPending: (sessionId) => pending.has(sessionId),
    schedule: (sessionId, loop) => {
      if (pending.has(sessionId)) return;
      const fire = (): void => {
        if (isHeld(sessionId)) {
          pending.set(sessionId, { loop, timer: setTimeout(fire, Math.max(delayMs, HELD_MS_MIN)) });
          return;
        }
        pending.delete(sessionId);
        void deliver(sessionId, loop);
      };
      pending.set(sessionId, { loop, timer: setTimeout(fire, delayMs) });
    },
    hasWindow: delayMs > 0,
    flush: (sessionId) => {
      const waiting = pending.get(sessionId);
      if (waiting === undefined) return;
      forget(sessionId);
      void deliver(sessionId, waiting.loop);
    },
    forget,
  };
}
