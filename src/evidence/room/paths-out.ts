/**
 * A check that names the project by its own path, or a link that leads out of it, would be judged by what the agent can edit, wherever it runs. A
 * path in a command or a variable is turned into that of the room; what cannot be turned makes the check unfit.
 */
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { ignoringErrno } from '../../system/errno.ts';

/** What stands around a whole path in a text: `/app` is no part of `src/app`, `/apple` or `http://app`. */
const BEFORE = /(?:^|[\s'"`;:|&<>(){=,@[]|file:\/\/)$/;
const AFTER = /^(?:$|[/\s'"`;:|&<>(){}=,\\\]])/;
const PATHS =
  /(?<=^|[\s'"`;:|&<>(){=,@[]|file:\/\/)(?<home>~|\$HOME|\$\{HOME\})?(?<file>\/[^\s'"`;:|&<>(){}$*?=,\\\]]+)/g;
const TRIES_MAX = 2000;

/** `room`: what is below it is not the project, although it may stand in it. */
type Place = { readonly root: string; readonly home: string; readonly room?: string };

/** The text with the path of the project turned into another one. */
export function withRoot(text: string, from: string, to: string): string {
  const [first = '', ...rest] = text.split(from);
  return rest.reduce((sum, part) => sum + (BEFORE.test(sum.slice(-8)) && AFTER.test(part) ? to : from) + part, first);
}

/** Does it name the project, or something that is in it, by its whole path? */
export function namesProject(text: string, { root, home, room }: Place): boolean {
  const tried = new Set<string>();
  for (const { groups } of text.matchAll(PATHS)) {
    const file = path.normalize((groups?.['home'] === undefined ? '' : home) + (groups?.['file'] ?? ''));
    if (tried.has(file)) continue;
    if (tried.size >= TRIES_MAX) return false;
    tried.add(file);
    const real = ignoringErrno(() => realpathSync(file));
    if (real === undefined || !isBelow(root, real)) continue;
    if (room !== undefined && isBelow(room, real)) continue;
    // A folder right below the root of the system has the name of many a route: only what is in it counts.
    if (real !== root || path.dirname(path.dirname(root)) !== path.dirname(root)) return true;
  }
  return root.includes(' ') && room === undefined && withRoot(text, root, '') !== text;
}

/** Variables of whoever called tireless that name the project, as the room has them. */
export function environmentInRoom(
  environment: Readonly<Record<string, string | undefined>>,
  { root, home }: Place,
  room: string,
): Readonly<Record<string, string | undefined>> {
  // A home in the project is not in the room, and most paths begin with it.
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
