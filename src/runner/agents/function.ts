import { messageOf } from '../../core/fault.ts';
import type { Usage } from '../../core/evidence.ts';
import { FUNCTION_AGENT } from '../../core/loop.ts';
import type { Agent, AgentActivity, TurnEnd } from '../../engine/ports.ts';
import { MESSAGE_CHARS_MAX } from './named-agent.ts';

/** The input of a function that acts as an agent, for one iteration. */
export type AgentCall = {
  /** The goal, what is still wrong, and the remaining limits. */
  readonly prompt: string;
  /** Counted from 1. */
  readonly iteration: number;
  /** The project. */
  readonly cwd: string;
  readonly loop: string;
  /** Aborts when the turn is cut short: by a timeout, a limit, a pause or a cancel. */
  readonly signal: AbortSignal;
  /** Shows a line while the agent works; it also counts as a sign of life for the idle timeout. */
  readonly say: (text: string) => void;
};

/** The agent's last message, alone or with its usage. `undefined` = no message. */
export type AgentAnswer = string | { readonly message: string; readonly usage?: Usage } | undefined;

// oxlint-disable-next-line typescript/no-invalid-void-type -- A function that returns nothing is an agent too.
export type AgentFunction = (call: AgentCall) => Promise<AgentAnswer | void> | AgentAnswer | void;

const DETAIL_CHARS_MAX = 600;

/** A function as an agent. If it throws, the turn failed. It cannot be killed: a turn that is cut short stops waiting for it. */
export function functionAgent(run: AgentFunction): Agent {
  return {
    name: FUNCTION_AGENT,
    open: async (turn) => {
      const stop = new AbortController();
      const cancel = async (): Promise<void> => stop.abort();
      return {
        prompt: (prompt) => streamCall(run, { ...turn, prompt }, stop.signal),
        cancel,
        close: cancel,
      };
    },
  };
}

async function* streamCall(
  run: AgentFunction,
  given: Omit<AgentCall, 'signal' | 'say'>,
  signal: AbortSignal,
): AsyncGenerator<AgentActivity> {
  let unsentOutput: string[] = [];
  let wake: (() => void) | null = null;
  let end: TurnEnd | null = null;
  const finish = (ended: TurnEnd): void => {
    end ??= ended;
    wake?.();
  };
  const say = (text: string): void => {
    unsentOutput.push(`${text}\n`);
    wake?.();
  };
  signal.addEventListener('abort', () => finish(failed('the turn was cut short')), { once: true });
  if (signal.aborted) finish(failed('stopped before it started'));
  else
    Promise.resolve()
      .then(() => run({ ...given, signal, say }))
      .then((answer) => finish(endOf(answer)))
      .catch((error: unknown) => finish(failed(messageOf(error))));
  for (;;) {
    if (unsentOutput.length > 0) {
      const text = unsentOutput.join('');
      unsentOutput = [];
      yield { kind: 'output', stream: 'message', text };
    }
    if (end !== null) break;
    if (unsentOutput.length === 0)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  }
  yield { kind: 'ended', end };
}

function endOf(answer: Awaited<ReturnType<AgentFunction>>): TurnEnd {
  if (answer === undefined) return { message: '' };
  if (typeof answer === 'string') return { message: answer.slice(-MESSAGE_CHARS_MAX) };
  return { ...answer, message: answer.message.slice(-MESSAGE_CHARS_MAX) };
}

function failed(detail: string): TurnEnd {
  return { message: '', failure: { class: 'unknown', detail: detail.slice(0, DETAIL_CHARS_MAX) } };
}
