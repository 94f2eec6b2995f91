import { Log } from './log.ts';

export type HookContext = { readonly event: string; readonly sessionId: string; readonly data?: unknown };
/** Anything a hook returns to its host. */
export type HookResult = Readonly<Record<string, unknown>>;

export type Hook = {
  name: string;
  description: string;
  /** Higher runs first; recovery hooks are above this loop's 50. */
  priority: number;
  events: string[];
  handler: (context: HookContext) => Promise<HookResult | void>;
};

export type HookRegistry = {
  /** Replaces a hook of the same name. */
  readonly register: (hook: Hook) => void;
  readonly unregister: (name: string) => boolean;
  readonly getHooks: (event?: string) => readonly Hook[];
  /** Runs the hooks one by one, by priority. A hook that fails is logged and stops no other. */
  readonly dispatch: (context: HookContext) => Promise<readonly HookResult[]>;
};

export function createHookRegistry(): HookRegistry {
  const hooks = new Map<string, Hook>();
  const getHooks: HookRegistry['getHooks'] = (event) =>
    [...hooks.values()]
      .filter(({ events }) => event === undefined || events.includes(event))
      .toSorted((one, other) => other.priority - one.priority);
  return {
    register: (hook) => {
      hooks.delete(hook.name);
      hooks.set(hook.name, hook);
    },
    unregister: (name) => hooks.delete(name),
    getHooks,
    dispatch: async (context) => {
      const results: HookResult[] = [];
      for (const { name, handler } of getHooks(context.event)) {
        try {
          const result = await handler(context);
          if (result !== undefined) results.push(result);
        } catch (error) {
          Log.error(`[${name}] Failed on ${context.event}`, { sessionId: context.sessionId, error: String(error) });
        }
      }
      return results;
    },
  };
}

let registry: HookRegistry | undefined;

/** The only registry of this process. */
export function getHookRegistry(): HookRegistry {
  return (registry ??= createHookRegistry());
}
