import path from 'node:path';
import { isFolderName, isRefusedByWindows, trackerFile } from '../../dialects/athena/descriptor.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import type { DialectPlace } from '../../engine/loop-of-file.ts';
import { makeDirs, storeFault, writeFileAtomic } from '../../system/files.ts';
import { pathPart } from '../../system/ids.ts';
import { currentPlatform } from '../../system/paths.ts';

const ATHENA = '.athena';
const SESSIONS = 'sessions';

/** `{projectDir}/.athena/sessions/{athenaSessionId}/loop-tracker.md`. An id that cannot name a folder is escaped. */
export function trackerPathFor(projectDir: string, athenaSessionId: string): string {
  const isUsable =
    isFolderName(athenaSessionId) && (currentPlatform().os !== 'win32' || !isRefusedByWindows(athenaSessionId));
  return path.join(projectDir, trackerFile(isUsable ? athenaSessionId : pathPart(athenaSessionId)));
}

/**
 * The place of a tracker. Its folder is its session, so that a restarted program finds its own loop; a tracker elsewhere is its own
 * session.
 */
export function placeOf(
  trackerPath: string,
  dialect: Dialect,
): DialectPlace & { readonly session: { host: string; id: string } } {
  const file = path.resolve(trackerPath);
  const folder = path.dirname(file);
  const sessions = path.dirname(folder);
  const athena = path.dirname(sessions);
  const isUsual = path.basename(sessions) === SESSIONS && path.basename(athena) === ATHENA;
  const cwd = isUsual ? path.dirname(athena) : folder;
  return {
    live: { dialect, path: file },
    cwd,
    file: path.relative(cwd, file).split(path.sep).join('/'),
    session: { host: 'athena', id: isUsual ? path.basename(folder) : file },
  };
}

/**
 * Creates the folder of a tracker. If we create `.athena/`, it gets a file that keeps it out of commits; if it already existed (people keep
 * their workflows in it), only a `sessions` folder that we create does.
 */
export function prepareFolder(file: string): void {
  const folder = path.dirname(file);
  const parts = folder.split(path.sep);
  const at = parts.lastIndexOf(ATHENA);
  const made = makeFolder(folder);
  if (at === -1 || made === undefined) return;
  const athena = parts.slice(0, at + 1).join(path.sep);
  const ours = [athena, path.join(athena, SESSIONS)].find(
    (dir) => dir === made || dir.startsWith(`${made}${path.sep}`),
  );
  if (ours !== undefined) writeFileAtomic(path.join(ours, '.gitignore'), '*\n', { durable: false });
}

/** Returns the outermost folder that was created. */
function makeFolder(folder: string): string | undefined {
  try {
    return makeDirs(folder);
  } catch (error) {
    throw storeFault(error, folder, 'write');
  }
}
