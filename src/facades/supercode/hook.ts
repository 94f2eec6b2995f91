import { createDelivery } from './delivery.ts';
import { member } from './detector.ts';
import type { Hook, HookContext } from './hook-registry.ts';
import type { HookWorld } from './idle.ts';
import { handleIdle, rememberMessages } from './idle.ts';
import { openLoopFile } from './loop-file.ts';
import { Log } from './log.ts';
import { DEFAULT_CONFIG, HOOK_NAME } from './ralph-loop.ts';
import type { RalphLoopHook, RalphLoopOptions, RalphLoopState, StartLoopOptions } from './ralph-loop.ts';
import { createRecovery } from './recovery.ts';

export type RalphLoop = Hook &
  RalphLoopHook & {
    /** What `/ralph` does: starts the loop and hands its first prompt over. A prompt that cannot be injected is delivered at the next idle. */
    readonly startWithPrompt: (sessionId: string, prompt: string, options?: StartLoopOptions) => Promise<boolean>;
  };

/** The loop of one project. Everything it does is decided and journaled by the engine; here events come in and prompts and toasts go out. */
export function createRalphLoopHook(options: RalphLoopOptions = {}): RalphLoop {
  const world = worldOf(options);
  const { config, file, delivery } = world;
  const startLoop: RalphLoopHook['startLoop'] = (sessionId, prompt, asked) =>
    config.enabled && start(world, stateFor(world, sessionId, prompt, asked));
  return {
    name: HOOK_NAME,
    description: 'Agentic iteration loop for autonomous task completion',
    priority: 50,
    events: ['session.idle', 'session.error', 'session.deleted'],
    handler: async (context) => {
      if (config.enabled) await handle(world, context);
    },
    startLoop,
    startWithPrompt: async (sessionId, prompt, asked) => {
      if (!startLoop(sessionId, prompt, asked)) return false;
      // What is there now is from before the loop; the answer to its prompt is not.
      await world.begunAt.get(sessionId)?.heard;
      await delivery.inject(sessionId, prompt, 1);
      return true;
    },
    cancelLoop: (sessionId) => config.enabled && cancel(world, sessionId),
    getState: (sessionId) => {
      const state = file.read();
      return sessionId !== undefined && sessionId !== '' && state?.sessionId !== sessionId ? null : state;
    },
    isLoopActive: (sessionId) => {
      const state = file.read();
      return state?.active === true && state.sessionId === sessionId;
    },
  };
}

function worldOf(options: RalphLoopOptions): HookWorld {
  const config = { ...DEFAULT_CONFIG, ...options.config };
  const file = openLoopFile(options.workdir ?? process.cwd(), config.stateDir);
  const recovery = createRecovery();
  const injectPrompt = options.injectPrompt ?? (async () => undefined);
  const { showToast } = options;
  return {
    config,
    file,
    delivery: createDelivery({ file, delayMs: config.continuationDelay, injectPrompt, isHeld: recovery.isOn }),
    recovery,
    begunAt: new Map(),
    getMessages: options.getMessages ?? (async () => []),
    checkSessionExists: options.checkSessionExists,
    showToast: (toast) => {
      try {
        showToast?.(toast);
      } catch (error) {
        // A screen that fails must not stop a loop.
        Log.warn(`[${HOOK_NAME}] Failed to show a toast`, { error: String(error) });
      }
    },
  };
}

function stateFor(
  { config }: HookWorld,
  sessionId: string,
  prompt: string,
  asked: StartLoopOptions = {},
): RalphLoopState {
  const maxIterations = asked.maxIterations ?? config.defaultMaxIterations;
  return {
    active: true,
    iteration: 1,
    // JSON has no infinity, and a limit is finite.
    maxIterations: Number.isFinite(maxIterations) ? maxIterations : DEFAULT_CONFIG.defaultMaxIterations,
    completionPromise: asked.completionPromise ?? config.defaultCompletionPromise,
    startedAt: new Date().toISOString(),
    prompt,
    sessionId,
    description: asked.description,
  };
}

function start(world: HookWorld, state: RalphLoopState): boolean {
  const { sessionId, maxIterations, completionPromise } = state;
  if (sessionId === '') return false;
  forget(world, sessionId);
  try {
    if (!world.file.start(state)) return false;
  } catch (error) {
    // Half a start is none: without a journal nothing would hold the limits.
    if (world.file.read()?.startedAt === state.startedAt) world.file.remove();
    report(world, 'Failed to start the loop', error);
    return false;
  }
  rememberMessages(world, sessionId);
  Log.info(`[${HOOK_NAME}] Loop started`, { sessionId, maxIterations, completionPromise });
  world.showToast({
    title: 'Ralph Loop Started',
    message: `Max ${maxIterations} iterations. Complete with <promise>${completionPromise}</promise>`,
    variant: 'info',
    duration: 3000,
  });
  return true;
}

function cancel(world: HookWorld, sessionId: string): boolean {
  const state = world.file.read();
  // A file that is gone or broken is no active loop, but its journal still has to end; another session's loop is not ours to end.
  if (state !== null && state.sessionId !== sessionId) return false;
  const news = state === null ? {} : { iteration: state.iteration };
  if (!end(world, sessionId, 'Loop cancelled', news) || state === null) return false;
  world.showToast({
    title: 'Ralph Loop Cancelled',
    message: `Stopped at iteration ${state.iteration}`,
    variant: 'info',
    duration: 2000,
  });
  return true;
}

async function handle(world: HookWorld, { event, sessionId, data }: HookContext): Promise<void> {
  try {
    if (event === 'session.deleted') {
      const deleted = member(data, 'sessionId');
      const gone = typeof deleted === 'string' ? deleted : sessionId;
      end(world, gone, 'Session deleted, loop cleared');
      world.recovery.forget(gone);
    } else if (event === 'session.error') {
      const name = member(member(data, 'error'), 'name');
      if (name === 'MessageAbortedError' || name === 'AbortError') {
        end(world, sessionId, 'User aborted, loop cleared');
        world.recovery.forget(sessionId);
      } else world.recovery.begin(sessionId);
    } else if (event === 'session.idle') await handleIdle(world, sessionId);
  } catch (error) {
    // Fail open: the agent may stop, and the user is told.
    report(world, `Failed on ${event}`, error);
  }
}

/** `false` when there was nothing to end, or the state file would not go. */
function end(world: HookWorld, sessionId: string, why: string, details: object = {}): boolean {
  forget(world, sessionId);
  try {
    const isEnded = world.file.end(sessionId) === 'ended';
    if (isEnded) Log.info(`[${HOOK_NAME}] ${why}`, { sessionId, ...details });
    return isEnded;
  } catch (error) {
    report(world, 'Failed to clear state', error);
    return false;
  }
}

function forget(world: HookWorld, sessionId: string): void {
  world.delivery.forget(sessionId);
  world.begunAt.delete(sessionId);
}

function report(world: HookWorld, what: string, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  Log.error(`[${HOOK_NAME}] ${what}: ${message}`);
  world.showToast({ title: 'Ralph Loop', message: `${what}: ${message}`, variant: 'error', duration: 5000 });
}
