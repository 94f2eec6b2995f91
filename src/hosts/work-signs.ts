import type { RawLine, ReadLimits } from '../engine/ports.ts';

export const SIGN_LIMITS: ReadLimits = { scannedBytesMax: 16 * 1024 * 1024 };

/**
 * Marks in the lines of a transcript, each with the time of its `timestamp`. Inside a JSON string the quotes of these marks would be
 * escaped. A line of the user that is written before the hook runs must not match `work`.
 */
export type WorkSigns = {
  /** Written while the agent works, or when its turn ends. */
  readonly work: readonly string[];
  /** The user broke off the turn. */
  readonly interrupted: readonly string[];
  /** The turn failed, or only one attempt if the line also contains `retried`. */
  readonly failed: readonly string[];
  readonly retried?: readonly string[];
  /** A turn begins. */
  readonly begins: readonly string[];
  /** Lines that repeat what is elsewhere. */
  readonly repeats?: readonly string[];
};

export function hasMark(line: RawLine, marks: readonly string[]): boolean {
  return marks.some((mark) => line.includes(mark));
}
