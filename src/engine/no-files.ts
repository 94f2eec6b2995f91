import { assert } from '../core/fault.ts';
import type { Effects } from './ports.ts';

/** The effects that only loops with a dialect's file need. */
export type FileEffects = Pick<Effects, 'newLoop' | 'readFile' | 'hashText' | 'replaceFile' | 'tryWrite' | 'countTurn'>;

/** For compositions without dialects, where nothing reads or writes such files. */
export const NO_FILES: FileEffects = {
  newLoop: refuse,
  readFile: refuse,
  hashText: refuse,
  replaceFile: refuse,
  tryWrite: refuse,
  countTurn: refuse,
};

function refuse(): never {
  assert(false, 'this composition has no dialects');
}
