import { Fault } from '../core/fault.ts';

/** At most one word, the loop: a second word must not be lost silently. */
export function loopArgument(words: readonly string[]): string | undefined {
  if (words.length > 1)
    throw new Fault(
      'USAGE',
      `Expected at most one loop, but got ${words.length} words: ${words.slice(0, 5).join(' ')}. Name one loop.`,
    );
  return words[0];
}

export function requireNoWords(words: readonly string[], name: string): void {
  if (words.length > 0)
    throw new Fault(
      'USAGE',
      `"tireless ${name}" takes no words, but got "${words.slice(0, 5).join(' ')}". Leave them out.`,
    );
}
