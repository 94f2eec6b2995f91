/**
 * Whether a command that comes with a repository may run. An allowance is for a path with exactly this content: after any change the user is asked
 * again. A denial is for the path, whatever its content, and overrides every allowance until the user allows it again. The commit point is the rename
 * of one small file.
 */
import { readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { errnoOf } from '../system/errno.ts';
import { readTextIfExists, storeFault, syncDirectory, writeFileAtomic } from '../system/files.ts';
import { sha256 } from '../system/ids.ts';
import { makeDurableDir } from './durable-dir.ts';
import { refuseSharedHome } from './private-home.ts';
import { withStoreFaults } from './loop-files.ts';

/** `changed`: the user allowed this file with other content. */
export type TrustAnswer = 'allowed' | 'denied' | 'unknown' | 'changed';

export type TrustRecord = { readonly path: string; readonly answer: 'allowed' | 'denied' };

export type Trust = {
  readonly ask: (file: string, content: string) => TrustAnswer;
  /** Also lifts a denial: the user has looked and decided. */
  readonly allow: (file: string, content: string) => void;
  readonly deny: (file: string) => void;
  /** Lifts a denial without an allowance. */
  readonly forgetDenial: (file: string) => void;
  /** Sorted by path. A path can appear several times, once per allowed content. */
  readonly list: () => readonly TrustRecord[];
};

export function openTrust(home: string): Trust {
  refuseSharedHome(home, true);
  const allowed = path.join(home, 'trust', 'allowed');
  const denied = path.join(home, 'trust', 'denied');
  // A path cannot contain a NUL, so no two pairs of path and content give the same string.
  const allowance = (file: string, content: string): string => path.join(allowed, sha256(`${file}\0${content}`));
  const denial = (file: string): string => path.join(denied, sha256(file));
  return {
    ask: (file, content) => {
      const real = realPath(file);
      if (exists(denial(real))) return 'denied';
      if (exists(allowance(real, content))) return 'allowed';
      return recordsIn(allowed, 'allowed').some((known) => known.path === real) ? 'changed' : 'unknown';
    },
    allow: (file, content) => {
      const real = realPath(file);
      record(allowance(real, content), real);
      // Last: a crash before this leaves the file denied, which is safe.
      forget(denial(real));
    },
    deny: (file) => record(denial(realPath(file)), realPath(file)),
    forgetDenial: (file) => forget(denial(realPath(file))),
    list: () =>
      [...recordsIn(allowed, 'allowed'), ...recordsIn(denied, 'denied')].toSorted((a, b) => (a.path < b.path ? -1 : 1)),
  };
}

/** A link counts as its target. A missing file counts as its plain absolute path. */
function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return path.resolve(file);
    throw storeFault(error, file, 'read');
  }
}

function exists(file: string): boolean {
  return withStoreFaults(file, 'read', () => statSync(file, { throwIfNoEntry: false })) !== undefined;
}

function record(file: string, real: string): void {
  makeDurableDir(path.dirname(file));
  writeFileAtomic(file, `${JSON.stringify(real)}\n`, { durable: true });
}

function forget(file: string): void {
  if (!exists(file)) return;
  withStoreFaults(file, 'write', () => {
    rmSync(file, { force: true });
    syncDirectory(path.dirname(file));
  });
}

function recordsIn(dir: string, answer: TrustRecord['answer']): readonly TrustRecord[] {
  let names: readonly string[];
  try {
    names = readdirSync(dir).filter((name) => !name.startsWith('.'));
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw storeFault(error, dir, 'read');
  }
  return names.flatMap((name) => {
    const real = pathIn(readTextIfExists(path.join(dir, name)) ?? '');
    return real === undefined ? [] : [{ path: real, answer }];
  });
}

/** JSON, because a path may contain a line break. `undefined` = not written by us: not listed, but its name still counts. */
function pathIn(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
