import type { LoopId } from '../../core/loop.ts';
import { promptOf } from '../../core/prompt.ts';
import type { LoopFile } from './loop-file.ts';
import { Log } from './log.ts';
import { HOOK_NAME } from './ralph-loop.ts';

/** How often, at the most, a session that is being repaired is looked at again. */
const HELD_MS_MIN = 250;

/** Prompts on their way into a session: after the session had time to settle, and only if the loop still wants them. */
export type Delivery = {
  /** One prompt at a time: a second stop in the settle window is the stop of an iteration that is over. */
  readonly isPending: (sessionId: string) => boolean;
  readonly schedule: (sessionId: string, loop: LoopId) => void;
  /** `false`: no time to settle was asked for, so a second stop is always one of its own. */
  readonly hasWindow: boolean;
  /** Delivers a waiting prompt now: the stop that is here is the one of its iteration. */
  readonly flush: (sessionId: string) => void;
  /** Now, and for an iteration that has begun already. */
  readonly inject: (sessionId: string, prompt: string, iteration: number) => Promise<void>;
  readonly forget: (sessionId: string) => void;
};

type DeliveryOptions = {
  readonly file: LoopFile;
  readonly delayMs: number;
  readonly injectPrompt: (sessionId: string, prompt: string) => Promise<void>;
  /** Others are at work in this session: a prompt would come between. */
  readonly isHeld: (sessionId: string) => boolean;
};

export function createDelivery({ file, delayMs, injectPrompt, isHeld }: DeliveryOptions): Delivery {
  const pending = new Map<string, { readonly loop: LoopId; readonly timer: NodeJS.Timeout }>();

  const inject: Delivery['inject'] = async (sessionId, prompt, iteration) => {
    try {
      await injectPrompt(sessionId, prompt);
    } catch (error) {
      Log.error(`[${HOOK_NAME}] Failed to inject continuation`, { sessionId, error: String(error) });
      // The iteration did not happen: it waits under its number, and the next idle delivers it. Refused when its turn is over by now.
      const failure = { class: 'transient', detail: `its prompt could not be injected: ${String(error)}` } as const;
      file.post(sessionId, { kind: 'turn-failed', iteration, worker: null, failure });
    }
  };

  const deliver = async (sessionId: string, loop: LoopId): Promise<void> => {
    try {
      const begun = file.begin(sessionId, loop);
      if (begun === undefined) Log.info(`[${HOOK_NAME}] Not injected: the loop does not wait for it`, { sessionId });
      else await inject(sessionId, promptOf(begun.spec, begun.state), begun.state.counted + 1);
    } catch (error) {
      Log.error(`[${HOOK_NAME}] Failed to inject continuation`, { sessionId, error: String(error) });
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
    inject,
    forget,
  };
}
