import type { Failure } from '../../src/core/event.ts';
import type { Usage } from '../../src/core/evidence.ts';
import type { Agent, AgentActivity, TurnEnd } from '../../src/engine/ports.ts';
import type { Clock } from '../../src/system/clock.ts';

/** What one turn does. By default it works for a second and says "working". */
export type Script = {
  readonly message?: string;
  readonly failure?: Failure;
  readonly workMs?: number;
  /** Prints a dot this often while it works. */
  readonly printEveryMs?: number;
  /** A tool runs all the time, and the stream reports what the turn has used so far. */
  readonly toolRuns?: { readonly usage: Usage };
  readonly usage?: TurnEnd['usage'];
};

export type Delivered = { readonly iteration: number; readonly prompt: string; readonly atMs: number };

export type ScriptedAgent = Agent & {
  readonly delivered: readonly Delivered[];
  readonly cancelled: readonly number[];
  /** Turns that were opened and not yet closed. */
  readonly openTurns: () => number;
};

/** An agent without a process: it runs on the given clock and follows the script. */
export function scriptedAgent(clock: Clock, script: (turn: Delivered) => Script): ScriptedAgent {
  const delivered: Delivered[] = [];
  const cancelled: number[] = [];
  let opened = 0;
  return {
    name: 'scripted',
    delivered,
    cancelled,
    openTurns: () => opened,
    open: async ({ iteration }) => {
      opened += 1;
      const sleeps = new Set<ReturnType<Clock['sleep']>>();
      let isCancelled = false;
      const pass = async (ms: number): Promise<void> => {
        const sleep = clock.sleep(ms);
        sleeps.add(sleep);
        await sleep.done;
        sleeps.delete(sleep);
      };
      return {
        prompt: async function* (prompt): AsyncGenerator<AgentActivity> {
          const turn = { iteration, prompt, atMs: clock.read().monotonicMs };
          delivered.push(turn);
          const { message = 'working', failure, workMs = 1000, printEveryMs = workMs, usage, toolRuns } = script(turn);
          if (toolRuns !== undefined) yield { kind: 'alive', toolsRunning: 1, ...toolRuns };
          for (let passed = 0; passed < workMs; passed += printEveryMs) {
            await pass(Math.min(printEveryMs, workMs - passed));
            if (isCancelled) break;
            yield { kind: 'output', stream: 'message', text: '.' };
          }
          const end = {
            message,
            ...(failure === undefined ? {} : { failure }),
            ...(usage === undefined ? {} : { usage }),
          };
          yield { kind: 'ended', end: isCancelled ? { message: 'cut' } : end };
        },
        cancel: async () => {
          isCancelled = true;
          cancelled.push(iteration);
          for (const sleep of sleeps) sleep.cancel();
        },
        close: async () => {
          opened -= 1;
        },
      };
    },
  };
}
