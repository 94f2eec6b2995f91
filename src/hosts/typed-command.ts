import type { SessionEvent, TypedCommand } from '../core/event.ts';
import { TYPED_COMMANDS } from '../core/event.ts';

export function typedCommand(name: string): TypedCommand | undefined {
  return TYPED_COMMANDS.find((command) => command === name);
}

/**
 * For hosts whose commands reach us as the text of a prompt: `/ralph goal…`. What stands after the command is kept byte for byte, but for
 * the one space or line break between the two.
 */
export function commandIn(prompt: string): (SessionEvent & { kind: 'command-typed' }) | undefined {
  const [, name = '', args = ''] = /^\/(?:tireless:)?([a-z-]+)(?:[ \t\r\n]([^]*))?$/u.exec(prompt.trimStart()) ?? [];
  const command = typedCommand(name);
  return command === undefined ? undefined : { kind: 'command-typed', command, args };
}
