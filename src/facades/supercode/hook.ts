import { Fault, messageOf } from '../../core/fault.ts';
import type { Limit } from '../../core/loop.ts';
import { whyNotDayTurns } from '../../dialects/day-limit.ts';
import { failOpenAsync } from '../../engine/fail-open.ts';
import { member } from './agent-words.ts';
import { createDelivery } from './delivery.ts';
import type { Hook, HookContext } from './hook-registry.ts';
import type { HookWorld } from './idle.ts';
import { handleIdle, rememberMessages } from './idle.ts';
import { openLoopFile } from './loop-file.ts';
import { Log } from './log.ts';
import { DEFAULT_CONFIG, HOOK_NAME } from './ralph-loop.ts';
import type { Message, RalphLoopConfig, RalphLoopHook, RalphLoopOptions, StartLoopOptions } from './ralph-loop.ts';
import { createRecovery } from './recovery.ts';
import type { StartRequest } from './start-request.ts';
import { DISABLED, readRequest } from './start-request.ts';

/** Called with the reason for a refusal, in place of the hook's own toast. */
export type RefusalListener = (why: string) => void;

export type RalphLoop = Hook &
  Omit<RalphLoopHook, 'cancelLoop'> & {
    /**
     * The work of `/ralph`: starts the loop and delivers its first prompt. Rejects if `injectPrompt` does; the loop stays, and continues at
     * the next idle.
     */
    readonly startWithPrompt: (
      sessionId: string,
      prompt: string,
      options?: StartLoopOptions,
      onRefused?: RefusalListener,
    ) => Promise<boolean>;
    readonly cancelLoop: (sessionId: string, onRefused?: RefusalListener) => boolean;
  };

/** The loop of one project. The engine decides and journals everything; this module receives events and sends prompts and toasts. */
export function createRalphLoopHook(options: RalphLoopOptions = {}): RalphLoop {
  const world = worldOf(options);
  const { config, file } = world;
  return {
    name: HOOK_NAME,
    description: 'Agentic iteration loop for autonomous task completion',
    priority: 50,
    events: ['session.idle', 'session.error', 'session.deleted'],
    handler: async (context) => {
      if (config.enabled) await handleOpenly(world, context);
    },
    startLoop: (sessionId, prompt, asked) => start(world, sessionId, readRequest(config, sessionId, prompt, asked)),
    startWithPrompt: async (sessionId, prompt, asked, onRefused) => {
      if (!start(world, sessionId, readRequest(config, sessionId, prompt, asked), onRefused)) return false;
      await injectFirst(world, sessionId, prompt);
      return true;
    },
    cancelLoop: (sessionId, onRefused) => cancel(world, sessionId, onRefused),
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
  const config = configOf(options.config);
  const file = openLoopFile(options.workdir ?? process.cwd(), config.stateDir, dayTurnsMaxOf(options));
  const recovery = createRecovery();
  const { injectPrompt = async () => undefined } = options;
  const showToast = safeToast(options.showToast);
  return {
    config,
    file,
    delivery: createDelivery({
      file,
      // Without injection there is nothing to wait for.
      delayMs: options.injectPrompt === undefined ? 0 : config.continuationDelay,
      injectPrompt,
      isHeld: recovery.isOn,
      reportFailure: (sessionId, error) => reportInjection(showToast, 'continuation', sessionId, error),
    }),
    injectPrompt,
    recovery,
    marks: new Map(),
    getMessages: (sessionId) => messagesOf(options, sessionId),
    checkSessionExists: options.checkSessionExists,
    showToast,
  };
}

async function messagesOf({ getMessages }: RalphLoopOptions, sessionId: string): Promise<Message[]> {
  if (getMessages === undefined) return [];
  const messages = await getMessages(sessionId);
  if (Array.isArray(messages)) return messages;
  throw new TypeError(`getMessages returned ${messages === null ? 'null' : typeof messages}, but must return a list`);
}

function warnOfScreen(error: unknown): void {
  Log.warn(`[${HOOK_NAME}] Failed to show a toast`, { error: String(error) });
}

/** A screen that fails, now or later, must not stop a loop. */
function safeToast(show: RalphLoopOptions['showToast']): HookWorld['showToast'] {
  return (toast) => {
    try {
      const shown: unknown = show?.(toast);
      if (shown instanceof Promise) shown.catch(warnOfScreen);
    } catch (error) {
      warnOfScreen(error);
    }
  };
}

/** Throws a Fault (USAGE): the limit that ends every loop is never guessed. */
function dayTurnsMaxOf({ dayTurnsMax }: RalphLoopOptions): Limit | undefined {
  if (dayTurnsMax === undefined || dayTurnsMax === null) return undefined;
  const refused = whyNotDayTurns(dayTurnsMax);
  if (refused === null) return dayTurnsMax;
  throw new Fault('USAGE', `${refused}.`);
}

async function injectFirst({ injectPrompt, showToast }: HookWorld, sessionId: string, prompt: string): Promise<void> {
  try {
    await injectPrompt(sessionId, prompt);
  } catch (error) {
    reportInjection(showToast, 'the first prompt', sessionId, error);
    throw error;
  }
}

function reportInjection(showToast: HookWorld['showToast'], what: string, sessionId: string, error: unknown): void {
  Log.error(`[${HOOK_NAME}] Failed to inject ${what}`, { sessionId, error: String(error) });
  showToast({
    title: 'Ralph Loop',
    message: `Failed to inject ${what}: ${messageOf(error)}. The loop continues at the next stop of the session.`,
    variant: 'error',
    duration: 5000,
  });
}

/** A key without a value gets its default. */
function configOf(given: Partial<RalphLoopConfig> = {}): RalphLoopConfig {
  const set = Object.entries(given).filter(([, value]) => value !== undefined && value !== null);
  return { ...DEFAULT_CONFIG, ...Object.fromEntries(set) };
}

function start(world: HookWorld, sessionId: string, request: StartRequest, onRefused?: RefusalListener): boolean {
  if ('why' in request) return refuse(world, 'Not Started', request.why, onRefused);
  const { state } = request;
  const { maxIterations, completionPromise } = state;
  try {
    world.file.start(state);
  } catch (error) {
    return refuse(world, 'Not Started', `Failed to start the loop: ${messageOf(error)}`, onRefused);
  }
  world.delivery.forget(sessionId);
  Log.info(`[${HOOK_NAME}] Loop started`, { sessionId, maxIterations, completionPromise });
  world.showToast({
    title: 'Ralph Loop Started',
    // The effective maximum: a fraction is rounded up.
    message: `Max ${Math.ceil(maxIterations)} iterations. Complete with <promise>${completionPromise}</promise>`,
    variant: 'info',
    duration: 3000,
  });
  return true;
}

function cancel(world: HookWorld, sessionId: string, onRefused?: RefusalListener): boolean {
  const refuseCancel = (why: string): boolean => refuse(world, 'Not Cancelled', why, onRefused);
  if (!world.config.enabled) return refuseCancel(DISABLED);
  const problem = world.file.problem();
  const state = problem === null ? world.file.read() : null;
  // A missing or broken file is not an active loop, but its journal still has to end; another session's loop is not ours to end.
  if (state !== null && state.sessionId !== '' && state.sessionId !== sessionId) return false;
  const news = state === null ? {} : { iteration: state.iteration };
  const ended = end(world, sessionId, 'Loop cancelled', { news, isUnowned: state?.sessionId === '' });
  if (problem !== null)
    return refuseCancel(`The state file cannot be read: ${problem}. Correct or remove ${world.file.path}`);
  if (ended === 'stuck')
    return refuseCancel(`Cannot remove ${world.file.path}: others keep changing it. Remove it yourself.`);
  if (ended === 'failed') onRefused?.('Failed to clear state');
  if (ended !== 'ended' || state === null) return false;
  void rememberMessages(world, sessionId);
  world.showToast({
    title: 'Ralph Loop Cancelled',
    message: `Stopped at iteration ${state.iteration}`,
    variant: 'info',
    duration: 2000,
  });
  return true;
}

/** Nothing was done; shows the user the reason. */
function refuse(
  { showToast }: HookWorld,
  what: 'Not Started' | 'Not Cancelled',
  why: string,
  onRefused?: RefusalListener,
): false {
  Log.warn(`[${HOOK_NAME}] Loop ${what.toLowerCase()}: ${why}`);
  if (onRefused === undefined)
    showToast({ title: `Ralph Loop ${what}`, message: why, variant: 'error', duration: 5000 });
  else onRefused(why);
  return false;
}

/** The user sees why the agent may stop. */
async function handleOpenly(world: HookWorld, context: HookContext): Promise<void> {
  await failOpenAsync(
    'everything',
    () => handle(world, context),
    (why) => report(world, `Failed on ${context.event}`, why),
  );
}

async function handle(world: HookWorld, { event, sessionId, data }: HookContext): Promise<void> {
  if (event === 'session.deleted') {
    const deleted = member(data, 'sessionId');
    const gone = typeof deleted === 'string' ? deleted : sessionId;
    end(world, gone, 'Session deleted, loop cleared');
    world.recovery.forget(gone);
    world.marks.delete(gone);
  } else if (event === 'session.error') {
    const name = member(member(data, 'error'), 'name');
    if (name === 'MessageAbortedError' || name === 'AbortError') {
      // Not awaited, so that a host that is slow to return its messages does not wait for us.
      if (end(world, sessionId, 'User aborted, loop cleared') === 'ended') void rememberMessages(world, sessionId);
      world.recovery.forget(sessionId);
    } else world.recovery.begin(sessionId);
  } else if (event === 'session.idle') await handleIdle(world, sessionId);
}

/** `none`: there was nothing to end; `stuck`: the state file could not be removed; `failed`: the journal could not be written. */
function end(
  world: HookWorld,
  sessionId: string,
  why: string,
  { news = {}, isUnowned = false }: { readonly news?: object; readonly isUnowned?: boolean } = {},
): 'ended' | 'none' | 'stuck' | 'failed' {
  world.delivery.forget(sessionId);
  try {
    // A file that was removed by hand has already ended its loop; only the journal is behind.
    const isInFile = isUnowned || world.file.read()?.sessionId === sessionId;
    const ended = world.file.end(sessionId, isUnowned);
    if (ended === 'ended' && isInFile) Log.info(`[${HOOK_NAME}] ${why}`, { sessionId, ...news });
    return ended;
  } catch (error) {
    report(world, 'Failed to clear state', messageOf(error));
    return 'failed';
  }
}

function report(world: HookWorld, what: string, message: string): void {
  Log.error(`[${HOOK_NAME}] ${what}: ${message}`);
  world.showToast({ title: 'Ralph Loop', message: `${what}: ${message}`, variant: 'error', duration: 5000 });
}
