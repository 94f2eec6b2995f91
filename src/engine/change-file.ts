import type { Effects } from './ports.ts';

/** If others keep changing a file in between, we give up after this many tries. */
const CHANGE_TRIES_MAX = 20;

/**
 * Changes the current content of a state file, and reads it again if someone else wrote in between, so that no edit is lost. `next` gets
 * `null` if there is no file, and returns the new text, `null` to remove the file, or the same text to keep it. `false` = someone kept
 * changing it.
 */
export function changeFile(
  { readFile, replaceFile }: Pick<Effects, 'readFile' | 'replaceFile'>,
  file: string,
  next: (text: string | null) => string | null,
): boolean {
  for (let tries = 0; tries < CHANGE_TRIES_MAX; tries++) {
    const bytes = readFile(file);
    const before = bytes?.text ?? null;
    const text = next(before);
    if (text === before || replaceFile(file, bytes?.hash ?? null, text) === 'replaced') return true;
  }
  return false;
}
