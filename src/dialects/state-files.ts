import type { Dialect } from './dialect.ts';

/** Further state files in one project are ignored. */
const FILES_MAX = 200;

/** Where a dialect's state file may be in a project, relative to it. `list`: the names in a folder of the project. */
export function stateFilesOf(
  dialect: Pick<Dialect, 'filesFor'>,
  session: string,
  list: (folder: string) => readonly string[],
): readonly string[] {
  return dialect.filesFor({ session, list }).filter(isInside).slice(0, FILES_MAX);
}

/** A session id is foreign text: it never leads out of the project. */
function isInside(file: string): boolean {
  const isAbsolute = /^(?:[\\/]|[A-Za-z]:)/u.test(file);
  return file !== '' && !isAbsolute && !file.split(/[\\/]/u).includes('..');
}
