import { accessSync, constants, statSync } from 'node:fs';
import { ignoringErrno } from './errno.ts';

/** A file that may be started. */
export function isProgram(file: string): boolean {
  return (
    ignoringErrno(() => {
      accessSync(file, constants.X_OK);
      return statSync(file).isFile();
    }) === true
  );
}
