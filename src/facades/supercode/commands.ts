import { isFault } from '../../core/fault.ts';
import type { RalphLoop } from './hook.ts';
import type { RalphArgs } from './ralph-args.ts';
import { readRalphArgs } from './ralph-args.ts';
import type { Toast } from './ralph-loop.ts';

export type RalphCommandsOptions = {
  readonly hook: RalphLoop;
  /** The session in which the user types: its id, or a function that returns it. */
  readonly currentSessionId: string | (() => string);
  readonly showToast?: (toast: Toast) => void;
};

export type RalphCommands = {
  /** `/ralph "task" [--max-iterations=N] [--completion-promise=TEXT]`. Rejects if `injectPrompt` does, as in the document. */
  readonly handleRalphCommand: (args: string) => Promise<void>;
  /** `/cancel-ralph` */
  readonly handleCancelRalphCommand: () => Promise<void>;
};

/** The two commands of a host's prompt. Mistyped input is reported and starts nothing. */
export function createRalphCommands(options: RalphCommandsOptions): RalphCommands {
  const { hook, showToast } = options;
  const sessionId = (): string =>
    typeof options.currentSessionId === 'function' ? options.currentSessionId() : options.currentSessionId;
  const refuse = (message: string): void => showToast?.({ title: 'Ralph Loop Not Started', message, variant: 'error' });
  return {
    handleRalphCommand: async (args) => {
      const parsed = readOrRefuse(args, refuse);
      if (parsed === undefined) return;
      const { prompt, ...asked } = parsed;
      if (prompt === '') return refuse('Say what to do: /ralph "the task"');
      // Without a screen for the commands, the hook itself shows the refusal.
      await hook.startWithPrompt(sessionId(), prompt, asked, showToast === undefined ? undefined : refuse);
    },
    handleCancelRalphCommand: async () => {
      let isExplained = false;
      const explain = (message: string): void => {
        isExplained = true;
        showToast?.({ title: 'Ralph Loop Not Cancelled', message, variant: 'error' });
      };
      if (hook.cancelLoop(sessionId(), showToast === undefined ? undefined : explain) || isExplained) return;
      showToast?.({ title: 'No Active Loop', message: 'No Ralph Loop is currently running', variant: 'info' });
    },
  };
}

function readOrRefuse(args: string, refuse: (message: string) => void): RalphArgs | undefined {
  try {
    return readRalphArgs(args);
  } catch (error) {
    if (!isFault(error)) throw error;
    refuse(error.message);
    return undefined;
  }
}
