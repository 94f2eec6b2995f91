import type { TestCounts } from '../../core/evidence.ts';
import { amountsBefore } from './runner.ts';
import type { Runner, Summary } from './runner.ts';

const BEGINS = /^running \d+ tests?$/gm;
const CLOSES = /^test result: (?:ok|FAILED)\. (\d+ passed; \d+ failed; \d+ ignored; .*)$/gm;
/** The line of a test; the test's own output may appear between its name and its result. */
const NAME = /test \S[^\n]{0,300} \.\.\. ?/g;
const RESULT = /(?:ok|FAILED|ignored(?:, [^\n]{0,300})?)$/gm;
/** With `--quiet`, one character per test. */
const DOTS = /[.Fi]/g;

/** Each test binary is a run, and so are the documentation tests. */
export const cargo: Runner = { name: 'cargo', begins: BEGINS, findSummaries };

function findSummaries(text: string): readonly Summary[] {
  const blocks = [...text.matchAll(CLOSES)];
  if (blocks.length === 0) return [];
  const begins = [...text.matchAll(BEGINS)].map(({ index }) => index);
  return blocks.map((block, index) => {
    const start = begins.findLast((at) => at < block.index) ?? 0;
    const end = begins.find((at) => at > block.index) ?? text.length;
    const isLast = (blocks[index + 1]?.index ?? text.length) >= end;
    // If a run has two summaries, a test printed the first one; the second covers everything.
    const lines = isLast ? text.slice(start, block.index) : undefined;
    return { at: block.index, counts: countsOf(block[1] ?? '', lines) };
  });
}

/** A summary counts at most as many tests as the lines before it show: code that ends the process in the middle of a test could print one. */
function countsOf(parts: string, lines: string | undefined): TestCounts {
  const amount = amountsBefore(parts);
  const skipped = amount('ignored');
  const ran = amount('passed', 'failed');
  const listed = lines === undefined ? ran : testLinesIn(lines) - skipped;
  return { ran: Math.max(0, Math.min(ran, listed)), failed: amount('failed'), skipped };
}

function testLinesIn(lines: string): number {
  const body = lines.replace(/^running .*\n/, '');
  const names = body.match(NAME)?.length ?? 0;
  return names === 0 ? (body.match(DOTS)?.length ?? 0) : Math.min(names, body.match(RESULT)?.length ?? 0);
}
