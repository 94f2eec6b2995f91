import { closeSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ignoringErrno } from './errno.ts';
import { newId } from './ids.ts';

/** A place where another program may leave a short answer. Only an unguessable name is passed on; nothing is created. */
export type ScratchFile = {
  readonly path: string;
  /** Its first bytes as text; `undefined` if nobody wrote it. */
  readonly read: (bytesMax: number) => string | undefined;
  readonly remove: () => void;
};

export function scratchFile(purpose: string): ScratchFile {
  const file = path.join(tmpdir(), `tireless-${purpose}-${newId()}`);
  return {
    path: file,
    read: (bytesMax) => ignoringErrno(() => readStart(file, bytesMax)),
    // A file that cannot be removed is a stray temporary file: not worth a fault.
    remove: () => ignoringErrno(() => rmSync(file, { force: true, recursive: true })),
  };
}

export function isDirectory(directory: string): boolean {
  return ignoringErrno(() => statSync(directory, { throwIfNoEntry: false })?.isDirectory()) === true;
}

/** Its first bytes as text; `undefined` = it is not a regular file. */
export function readStart(file: string, bytesMax: number): string | undefined {
  // A pipe or a device in its place would make the open wait forever.
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  const descriptor = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(bytesMax);
    return bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, bytesMax, 0));
  } finally {
    closeSync(descriptor);
  }
}
