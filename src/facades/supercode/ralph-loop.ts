import type { SupercodeFields } from '../../dialects/supercode/read.ts';
import type { Toast } from '../../dialects/supercode/words.ts';
import { CONTINUATION_PROMPT_TEMPLATE } from '../../dialects/supercode/words.ts';
import { DEFAULT_COMPLETION_PROMISE } from '../../dialects/supercode/read.ts';
import { DEFAULT_MAX_ITERATIONS } from '../../dialects/supercode/descriptor.ts';

export { CONTINUATION_PROMPT_TEMPLATE, DEFAULT_COMPLETION_PROMISE, DEFAULT_MAX_ITERATIONS };

/** Not readonly, here and below: code written against the document modifies these objects. */
export type RalphLoopState = SupercodeFields;

export type RalphLoopConfig = {
  enabled: boolean;
  defaultMaxIterations: number;
  defaultCompletionPromise: string;
  /** Milliseconds before a continuation is injected, so that the session can settle. */
  continuationDelay: number;
  /** Directory of the state file, instead of `.supercoin` in the project; relative paths are relative to the project. */
  stateDir?: string;
};

export type StartLoopOptions = {
  maxIterations?: number | undefined;
  completionPromise?: string | undefined;
  description?: string | undefined;
};

export type RalphLoopHook = {
  startLoop: (sessionId: string, prompt: string, options?: StartLoopOptions) => boolean;
  cancelLoop: (sessionId: string) => boolean;
  getState: (sessionId?: string) => RalphLoopState | null;
  isLoopActive: (sessionId: string) => boolean;
};

export type Message = { role?: string; content?: string };

export type RalphLoopOptions = {
  config?: Partial<RalphLoopConfig>;
  workdir?: string;
  getMessages?: (sessionId: string) => Promise<Message[]>;
  injectPrompt?: (sessionId: string, prompt: string) => Promise<void>;
  showToast?: (message: Toast) => void;
  checkSessionExists?: (sessionId: string) => Promise<boolean>;
  /** How many turns all loops in the project's state files may take per day; absent = 1000. */
  dayTurnsMax?: number | 'unlimited';
};

export const HOOK_NAME = 'ralph-loop';
export const DEFAULT_CONTINUATION_DELAY = 500;

export const DEFAULT_CONFIG: RalphLoopConfig = {
  enabled: true,
  defaultMaxIterations: DEFAULT_MAX_ITERATIONS,
  defaultCompletionPromise: DEFAULT_COMPLETION_PROMISE,
  continuationDelay: DEFAULT_CONTINUATION_DELAY,
};

export type { Toast };
