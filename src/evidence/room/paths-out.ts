/**
 * A check that names the project by its own path, or a link that leads out of it, would be judged by files that the agent can edit,
 * wherever it runs. A path in a command or a variable is replaced by that of the room; if it cannot be replaced, the check is unfit.
 */
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { ignoringErrno } from '../../system/errno.ts';

/** The characters around a whole path in a text: `/app` is not part of `src/app`, `/apple` or `http://app`. */
const BEFORE = /(?:^|[\s'"`;:|&<>(){=,@[]|file:\/\/)$/;
const AFTER = /^(?:$|[/\s'"`;:|&<>(){}=,\\\]])/;
const PATHS =
  /(?<=^|[\s'"`;:|&<>(){=,@[]|file:\/\/)(?<home>~|\$HOME|\$\{HOME\})?(?<file>\/[^\s'"`;:|&<>(){}$*?=,\\\]]+)/g;
const TRIES_MAX = 2000;

/** `room`: nothing below it is the project, even if the room is inside the project. */
type OwnFolders = { readonly root: string; readonly home: string; readonly room?: string };

/** The text with the path of the project replaced by another one. */
export function withRoot(text: string, from: string, to: string): string {
  const [first = '', ...rest] = text.split(from);
  return rest.reduce((sum, part) => sum + (BEFORE.test(sum.slice(-8)) && AFTER.test(part) ? to : from) + part, first);
}

/** Does the text name the project, or something in it, by its full path? */
export function namesProject(text: string, { root, home, room }: OwnFolders): boolean {
  const tried = new Set<string>();
  for (const { groups } of text.matchAll(PATHS)) {
    const file = path.normalize((groups?.['home'] === undefined ? '' : home) + (groups?.['file'] ?? ''));
    if (tried.has(file)) continue;
    if (tried.size >= TRIES_MAX) return false;
    tried.add(file);
    const real = ignoringErrno(() => realpathSync(file));
    if (real === undefined || !isBelow(root, real)) continue;
    if (room !== undefined && isBelow(room, real)) continue;
    // A folder directly below the system's root may have the same name as a URL route: only paths inside it count.
    if (real !== root || path.dirname(path.dirname(root)) !== path.dirname(root)) return true;
  }
  return root.includes(' ') && room === undefined && withRoot(text, root, '') !== text;
}

/** The caller's variables that name the project, with the paths of the room. */
export function environmentInRoom(
  environment: Readonly<Record<string, string | undefined>>,
  { root, home }: OwnFolders,
  room: string,
): Readonly<Record<string, string | undefined>> {
  // A home inside the project is not in the room, and most paths begin with it.
  if (isBelow(root, home)) return {};
  return Object.fromEntries(
    Object.entries(environment)
      .filter(([name, value]) => value?.includes(root) === true && !KEPT_AS_IT_IS.has(name))
      .map(([name, value]) => [name, value === undefined ? value : withRoot(value, root, room)]),
  );
}

const KEPT_AS_IT_IS: ReadonlySet<string> = new Set(['HOME', 'TIRELESS_HOME', 'TMPDIR', 'TMP', 'TEMP']);

export function isBelow(folder: string, file: string): boolean {
  return file === folder || file.startsWith(folder === path.sep ? folder : folder + path.sep);
}
