import type { TestCounts } from '../../core/evidence.ts';
import type { Runner, Summary } from './runner.ts';

const CLOSES =
  /^(?<mark>ℹ|#) tests (?<tests>\d+)\n(?:\k<mark> suites \d+\n)?\k<mark> pass (?<pass>\d+)\n\k<mark> fail (?<fail>\d+)\n\k<mark> cancelled (?<cancelled>\d+)\n\k<mark> skipped (?<skipped>\d+)\n\k<mark> todo (?<todo>\d+)\n\k<mark> duration_ms [\d.]+$/gm;

/**
 * A file without tests, or one that ends before its first test has reported (`process.exit(0)`), is reported as one passed test under its path.
 * A test named like a file is not counted either.
 */
const FILES = /^(?:✔|ok \d+ -) (?:\S*|(?:\/|[A-Za-z]:\\).*)\.[cm]?[jt]sx?(?: \([\d.]+ms\))?$/gm;

/** The reporters spec and TAP; the others print no number. */
export const nodeTest: Runner = { name: 'node:test', findSummaries };

function findSummaries(text: string): readonly Summary[] {
  let from = 0;
  return [...text.matchAll(CLOSES)].map((block) => {
    const files = [...text.slice(from, block.index).matchAll(FILES)].length;
    from = block.index + block[0].length;
    return { at: block.index, counts: countsOf(block.groups ?? {}, files) };
  });
}

function countsOf(groups: Readonly<Record<string, string>>, files: number): TestCounts | undefined {
  const amount = (name: string): number => Number(groups[name]);
  const passed = Math.max(0, amount('pass') - files);
  const failed = amount('fail') + amount('cancelled');
  const skipped = amount('skipped') + amount('todo');
  // Assertion scripts without any test: their number means nothing.
  if (files > 0 && passed + failed + skipped === 0) return undefined;
  return { ran: passed + amount('fail'), failed, skipped };
}
