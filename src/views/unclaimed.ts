import type { NearClaim } from '../core/evidence.ts';
import { oneLine } from './printable.ts';

const TEXT_CHARS_MAX = 300;

/** What the agent wrote instead of a claim, and what it has to write. */
export function unclaimedWords(near: NearClaim | undefined): string {
  if (near === undefined) return 'the agent has not claimed to be done';
  const text = oneLine(near.text, TEXT_CHARS_MAX);
  return near.why === 'not-alone'
    ? `${text} was found inside a sentence: to count, its tag must be alone on a line`
    : `${text} was found without its tag: to count, it must be inside the tag, alone on a line`;
}
