import { expect } from 'vitest';
import type { Loaded } from '../../src/engine/ports.ts';
import { openFileStore } from '../../src/stores/file-store.ts';
import { aStop } from './hook-payload.ts';
import type { User } from './run-cli.ts';

/** What a hook answers to Claude Code. */
export type HookAnswer = {
  readonly hookSpecificOutput?: { readonly additionalContext?: string; readonly permissionDecision?: string };
  readonly decision?: string;
  readonly reason?: string;
  readonly systemMessage?: string;
};

/** One event of `session-1`, through the built command line. */
export async function hook(
  user: User,
  event: string,
  fields: object = {},
  env: Readonly<Record<string, string>> = {},
): Promise<HookAnswer> {
  const stdin = JSON.stringify({ session_id: 'session-1', cwd: user.project, ...fields, hook_event_name: event });
  const { code, stdout, stderr } = await user.tireless(['hook', 'claude-code'], { stdin, env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as HookAnswer;
}

/** The payload of a typed command: `/ralph "goal"`. */
export function typedFields(command_name: string, command_args = ''): object {
  return { expansion_type: 'command', command_name, command_args };
}

export function typed(user: User, name: string, args = '', more: object = {}): Promise<HookAnswer> {
  return hook(user, 'UserPromptExpansion', { ...typedFields(name, args), ...more });
}

export function stop(user: User, message: string, more: object = {}): Promise<HookAnswer> {
  return hook(user, 'Stop', JSON.parse(aStop(user.project, message, { ...more })) as object);
}

/** Throws if the user has no loop, or several. */
export function onlyLoop({ home }: User): Loaded {
  const store = openFileStore({ home });
  const [loop, ...others] = store.list({ ended: 'both' });
  store.close();
  if (loop === undefined || others.length > 0) throw new Error('not one loop');
  return loop;
}
