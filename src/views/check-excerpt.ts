import type { CheckResult } from '../core/evidence.ts';
import { failingLines } from '../core/failing-part/failing-part.ts';
import { clipped, lastLines, printable } from './printable.ts';

const END_LINES_MAX = 5;
/** Node names modules by URL; people and editors need the path. */
const FILE_URL = /\bfile:\/\/\/(?![A-Za-z]:)/g;

/** Output of a check that did not pass: the failing part if it can be found, otherwise the last lines. */
export function excerptLines(
  { result, tail }: Pick<CheckResult, 'result' | 'tail'>,
  { linesMax, charsMax }: { readonly linesMax: number; readonly charsMax: number },
): readonly string[] {
  if (result === 'passed') return [];
  const failing = result === 'failed' ? failingLines(printable(tail), linesMax) : [];
  return failing.length > 0
    ? failing.map((line) => clipped(line.replaceAll(FILE_URL, '/'), charsMax))
    : lastLines(tail, Math.min(linesMax, END_LINES_MAX), charsMax);
}
