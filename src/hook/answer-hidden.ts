import type { SessionEvent } from '../core/event.ts';
import type { Host } from '../hosts/host.ts';
import { OTHER_NAME } from '../hosts/typed-command.ts';
import { oneLine, PATH_CHARS_MAX } from '../views/printable.ts';
import type { TypedAnswer } from './answer-typed.ts';
import type { HookWorld, UserCommand } from './hook-world.ts';

type TypedCommand = SessionEvent & { kind: 'command-typed' };
type Typed = Pick<TypedCommand, 'args'> & { readonly called: string };

/** A longer command is read from its file. */
const COMMAND_CHARS_MAX = 50_000;

/** The project has its own command of this name, but the host expanded ours: the agent gets the user's command. `undefined` = the command is ours. */
export async function answerHidden(
  { command, args, prefix = '/' }: TypedCommand,
  { host: { id, capabilities }, cwd }: { readonly host: Host; readonly cwd: string },
  { typedCommands }: HookWorld,
): Promise<TypedAnswer | undefined> {
  const own = prefix.length > 1 ? undefined : await typedCommands.usersOwn(id, command, cwd);
  if (own === undefined || !own.isHidden) return undefined;
  const called = `${prefix}${command}`;
  const file = oneLine(own.file, PATH_CHARS_MAX);
  const ours = `${prefix}${OTHER_NAME}${command}`;
  const known = own.isOtherKnown ? '' : ` once you have run "tireless install ${id} --yes" in this project`;
  return {
    kind: 'context',
    text: textFor(own, { called, args }),
    notice: `tireless: ${called} is your own command here (${file}). ${capabilities.title} does not run it beside ours, so the agent got its text. Ours is called ${ours}${known}`,
  };
}

/** The text beside it comes from our own file, which asks the agent to do nothing. */
function textFor({ file, text }: UserCommand, { called, args }: Typed): string {
  const typed = args.trim() === '' ? called : `${called} ${args.trim()}`;
  const about = `The user typed: ${typed}\n\nIn this project that is the user's own command, from ${file}, not the one of tireless. Ignore the text about the hook of tireless, and follow the command.`;
  if (text.length > COMMAND_CHARS_MAX) return `${about} Read it in that file first.`;
  const shell =
    text.includes('!`') || text.includes('!{') ? ' Run the shell commands that it marks with "!" first.' : '';
  const body = text.replace(/^---\r?\n[^]*?\r?\n---\r?\n/u, '').trim();
  const filled = body.replaceAll(/\$ARGUMENTS\b|\{\{args\}\}/gu, () => args.trim());
  return `${about}${shell} It says:\n\n${filled}`;
}
