import type { TestCounts } from '../../core/evidence.ts';

/** What one test runner prints, and where. */
export type Runner = {
  readonly name: string;
  /** The line with which each run begins, with the flags `gm`. Absent if the runner prints no such line. */
  readonly begins?: RegExp;
  /** The blocks with which a run closes, in order. */
  readonly findSummaries: (text: string) => readonly Summary[];
  /** Used only if no other runner has a summary. */
  readonly fallback?: true;
};

/** `counts` is absent if the runner closes a run without naming a number of tests. */
export type Summary = { readonly at: number; readonly counts: TestCounts | undefined };

/** Every match of `closes` (flags `gm`) is a summary. Patterns begin at a line and repeat nothing ambiguous: the text comes from the agent. */
export function summariesBy(
  closes: RegExp,
  read: (block: RegExpMatchArray) => TestCounts | undefined,
): Runner['findSummaries'] {
  return (text) => [...text.matchAll(closes)].map((block) => ({ at: block.index, counts: read(block) }));
}

export type Amounts = (...words: readonly string[]) => number;

/** `1 failed, 2 passed`: returns the sum of the numbers for the given words. */
export function amountsBefore(text: string): Amounts {
  return amountsOf([...text.matchAll(/(\d+) ([a-z]+(?: [a-z]+)*)/gi)].map(([, amount, word]) => [word, amount]));
}

/** `Failures: 1, Skipped: 2` and `failures=1`. */
export function amountsAfter(text: string): Amounts {
  return amountsOf(
    [...text.matchAll(/([a-z]+(?: [a-z]+)*)\s?[:=]\s*(\d+)/gi)].map(([, word, amount]) => [word, amount]),
  );
}

export const NO_TESTS: TestCounts = { ran: 0, failed: 0, skipped: 0 };

export function addCounts(one: TestCounts, other: TestCounts): TestCounts {
  return { ran: one.ran + other.ran, failed: one.failed + other.failed, skipped: one.skipped + other.skipped };
}

function amountsOf(pairs: readonly (readonly [string | undefined, string | undefined])[]): Amounts {
  return (...words) => {
    const wanted = pairs.filter(([word = '']) => words.includes(word.toLowerCase()));
    return wanted.reduce((sum, [, amount]) => sum + Number(amount), 0);
  };
}
