import { failOpen } from '../../engine/fail-open.ts';
import { readWireEvent } from '../../dialects/athena/wire.ts';
import { serveLines } from '../../system/line-socket.ts';
import { mapDecisionToResult } from './decision-mapper.ts';
import type { ControllerCallbacks } from './hook-controller.ts';
import { handleEvent } from './hook-controller.ts';
import type { Logger } from './logger.ts';
import { PROCESS_LOGGER } from './logger.ts';
import type { HookResult, RuntimeDecision, RuntimeEvent } from './runtime.ts';

export type HookServer = {
  /** A person's answer to a waiting event. `false` = nothing is waiting under this id. */
  readonly sendDecision: (eventId: string, decision: RuntimeDecision) => boolean;
  readonly close: () => Promise<void>;
};

export type HookServerOptions = {
  readonly socketPath: string;
  readonly callbacks: ControllerCallbacks;
  /** How long a person may take; after that the host decides as if nobody were there. */
  readonly decisionTimeoutMs?: number;
  /** For tests and displays: every event, before it is handled. */
  readonly onEvent?: (event: RuntimeEvent) => void;
};

const DECISION_TIMEOUT_MS = 5 * 60 * 1000;

/**
 * Answers forwarded hook events. Each event is handled completely before the next one begins, so that two stops never decide on the same
 * counter; only an event that a person has to answer waits outside the queue. Rejects with a Fault if it cannot listen.
 */
export async function startHookServer(options: HookServerOptions): Promise<HookServer> {
  const { callbacks, onEvent } = options;
  const logger = callbacks.logger ?? PROCESS_LOGGER;
  const waiting = new Map<string, (decision: RuntimeDecision) => void>();
  const askPerson = (event: RuntimeEvent): Promise<RuntimeDecision> =>
    new Promise((resolve) => {
      const end = (decision: RuntimeDecision): void => {
        clearTimeout(timer);
        waiting.delete(event.id);
        resolve(decision);
      };
      const timer = setTimeout(
        () => end({ type: 'passthrough', source: 'timeout' }),
        options.decisionTimeoutMs ?? DECISION_TIMEOUT_MS,
      );
      waiting.set(event.id, end);
    });
  const server = await serveLines(options.socketPath, (line) => {
    const event = readWireEvent(line);
    if (event === undefined) {
      logger.warn('A forwarded hook event could not be read; the hook changes nothing.');
      return lineOf({ action: 'passthrough' });
    }
    watched(event, onEvent, logger);
    // Register before handling: the person may answer at once. An id that is already waiting keeps its first request.
    const asked = waiting.has(event.id) ? undefined : askPerson(event);
    const result = handleEvent(event, callbacks);
    const decision = result.handled ? result.decision : PASS;
    if (decision === undefined && asked !== undefined)
      return { later: asked.then((answer) => lineOf(mapDecisionToResult(event, answer))) };
    if (asked !== undefined) waiting.get(event.id)?.(PASS);
    return lineOf(mapDecisionToResult(event, decision ?? PASS));
  });
  return {
    sendDecision: (eventId, decision) => {
      const end = waiting.get(eventId);
      end?.(decision);
      return end !== undefined;
    },
    close: async () => {
      for (const end of waiting.values()) end({ type: 'passthrough', source: 'timeout' });
      await server.close();
    },
  };
}

/** A failing display must not end the program that decides about the loop. */
function watched(event: RuntimeEvent, onEvent: HookServerOptions['onEvent'], logger: Logger): void {
  failOpen(
    'everything',
    () => onEvent?.(event),
    (why) => logger.warn(`A listener for hook events failed: ${why}`),
  );
}

const PASS: RuntimeDecision = { type: 'passthrough', source: 'rule' };

function lineOf(result: HookResult): string {
  return JSON.stringify(result);
}
