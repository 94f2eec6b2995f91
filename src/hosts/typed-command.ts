import type { SessionEvent } from '../core/event.ts';
import { TYPED_COMMANDS } from '../core/event.ts';
import type { HostCapabilities } from './capabilities.ts';
import { isOurParagraph } from './command-mark.ts';

/** Precedes the name of a command that the user already has: `/tireless-ralph`. */
export const OTHER_NAME = 'tireless-';

/** One of our commands, by its typed name; `undefined` = it is not ours. */
export function typedCommand(
  before: string,
  name: string,
  args: string,
): (SessionEvent & { kind: 'command-typed' }) | undefined {
  const isOther = name.startsWith(OTHER_NAME);
  const prefix = isOther ? `${before}${OTHER_NAME}` : before;
  const command = TYPED_COMMANDS.find((known) => known === (isOther ? name.slice(OTHER_NAME.length) : name));
  if (command === undefined) return undefined;
  return { kind: 'command-typed', command, args, ...(prefix === '/' ? {} : { prefix }) };
}

/**
 * For hosts whose commands reach us as the text of a prompt: `/ralph goal…`, or `$ralph` for a skill; a plugin's are called
 * `tireless:ralph`. The text after the command is kept byte for byte, except for the one space or line break between the two.
 */
export function commandIn(prompt: string): (SessionEvent & { kind: 'command-typed' }) | undefined {
  const [, prefix = '', name = '', args = ''] =
    /^([/$](?:tireless:)?)([a-z-]+)(?:[ \t\r\n]([^]*))?$/u.exec(withoutFileText(prompt.trimStart())) ?? [];
  return typedCommand(prefix, name, args);
}

/** Without the last paragraph, if it comes from our command file. */
function withoutFileText(prompt: string): string {
  const text = prompt.replace(/\n$/u, '');
  const at = text.lastIndexOf('\n\n');
  return at !== -1 && isOurParagraph(text.slice(at + 2)) ? text.slice(0, at) : prompt;
}

/** The prefix for a command that the user has not typed yet. */
export function commandPrefix(
  { commandPrefix: usual, pluginCommands }: Pick<HostCapabilities, 'commandPrefix' | 'pluginCommands'>,
  variables: Readonly<Record<string, string | undefined>>,
): string {
  return pluginCommands === undefined || variables[pluginCommands.variable] === undefined
    ? usual
    : pluginCommands.prefix;
}
