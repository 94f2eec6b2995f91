import { assert } from '../core/fault.ts';
import type { Effects } from './ports.ts';

/** What only loops with a dialect's file need. */
export type FileEffects = Pick<Effects, 'newLoop' | 'readFile' | 'hashText' | 'replaceFile' | 'tryWrite' | 'countTurn'>;

/** For compositions without dialects: nothing asks for files there. */
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
