import type { LoopId } from '../core/loop.ts';
import { HOME_FILES, PEOPLE_COMMANDS } from '../core/people-commands.ts';

/** `home`: tireless's home; `user`: the user's home, if known. `program`: the file of the command line. */
export type OwnPaths = { readonly home: string; readonly user?: string | undefined; readonly program?: string };

/** Longer texts are cut: a call beyond that is still refused by the command itself. */
const TEXT_CHARS_MAX = 200_000;
const DEPTH_MAX = 6;

/** Inputs that a tool writes, searches for or displays, rather than runs or opens: writing about tireless is allowed. */
const PROSE: ReadonlySet<string> = new Set([
  'content',
  'contents',
  'text',
  'file_text',
  'insert_text',
  'old_string',
  'new_string',
  'old_str',
  'new_str',
  'oldstring',
  'newstring',
  'oldtext',
  'newtext',
  'pattern',
  'query',
  'regex',
  'description',
  'prompt',
  'message',
  'title',
  'todos',
  'explanation',
  'instruction',
]);

/** Includes `hook`: with a forged payload, an agent could speak as the user. */
const CALL = new RegExp(
  String.raw`(?:^|[\s/=;&|<>])tireless(?:@\S+|\.(?:cmd|exe|ps1|js)|/(?:dist/)?cli\.js)?[ \t]+(?:-\S+[ \t]+)*(${[...PEOPLE_COMMANDS, 'hook'].join('|')})(?![\w.-])`,
  'u',
);
const HOOK_PROGRAM = /\bhook(?:-fast)?\.cjs\b/u;
/** An assignment of the home in a call only names the home and does not touch its files. */
const ASSIGNED_HOME = /\bTIRELESS_HOME=(?:"[^"]*"|'[^']*'|\S+)/gu;
const HOME_VARIABLE = /(?:\$\{?(?:env:)?|%)TIRELESS_HOME\b/u;
/** A patch names its files on separate lines; the rest of it is content. */
const PATCH = /^\s*\*\*\* Begin Patch/u;
const PATCH_FILE = /^\*\*\* (?:Add File|Update File|Delete File|Move to): .*$/gmu;

/**
 * The action in a tool call that only a person may take: a command of tireless, or `HOME_FILES` if it reaches into the home; `null` = none.
 * Only a first barrier, based on text: it prevents the start of a call that would leave its process tree.
 */
export function peopleOnlyIn(input: unknown, own: OwnPaths): string | null {
  for (const text of textsIn(input, 0)) {
    const found = inText(text.slice(0, TEXT_CHARS_MAX), own);
    if (found !== null) return found;
  }
  return null;
}

/** The agent reads this instead of the result of its tool. */
export function refusalOf(loop: LoopId, command: string): string {
  const what = command === HOME_FILES ? 'the files of tireless are not yours' : `"tireless ${command}" is not for you`;
  return `tireless: ${what}: only a person may do this, and you are the agent of loop ${loop}. If you need their decision, say so and end your turn.`;
}

/** The path itself, and the ways a shell may spell it. */
function spellingsOf({ home, user = '' }: OwnPaths): readonly string[] {
  const rest = user !== '' && home.startsWith(`${user}/`) ? home.slice(user.length) : null;
  return rest === null ? [home] : [home, `~${rest}`, `$HOME${rest}`, `\${HOME}${rest}`];
}

function inText(text: string, own: OwnPaths): string | null {
  const { program } = own;
  const shown = PATCH.test(text) ? (text.match(PATCH_FILE) ?? []).join('\n') : text;
  const named = program === undefined ? shown : shown.replaceAll(program, 'tireless');
  const plain = named.replaceAll(/\\\r?\n|["'`\\,()[\]{}]/gu, ' ');
  const called = CALL.exec(plain)?.[1] ?? (HOOK_PROGRAM.test(plain) ? 'hook' : undefined);
  if (called !== undefined) return called;
  const rest = shown.replaceAll(ASSIGNED_HOME, '');
  return HOME_VARIABLE.test(rest) || spellingsOf(own).some((home) => namesPath(rest, home)) ? HOME_FILES : null;
}

/** `/x/home` in `/x/home/loops`, but not in `/x/homes`. */
function namesPath(text: string, path: string): boolean {
  if (path === '') return false;
  for (let at = text.indexOf(path); at >= 0; at = text.indexOf(path, at + 1)) {
    if (!/[\w.-]/u.test(text.charAt(at + path.length))) return true;
  }
  return false;
}

function* textsIn(value: unknown, depth: number): Generator<string> {
  if (typeof value === 'string') yield value;
  if (typeof value !== 'object' || value === null || depth >= DEPTH_MAX) return;
  // The elements of an argument list form one command.
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) yield value.join(' ');
  for (const [key, inner] of Object.entries(value)) {
    if (Array.isArray(value) || !PROSE.has(key.toLowerCase())) yield* textsIn(inner, depth + 1);
  }
}
