import type { TestCounts } from '../../core/evidence.ts';
import { parseObject } from './parse-object.ts';
import { addCounts, NO_TESTS } from './runner.ts';
import type { Runner, Summary } from './runner.ts';

const PACKAGE_ENDS = /^(?:ok {2}\t|FAIL\t)\S+\t\S/;
const NOTHING_RUN = /^(?:\?? +\t\S+\t(?:\[no test files\]|.*coverage: .*)|ok {2}\t\S+\t.*\[no tests to run\].*)$/;
const RUN = /^=== RUN +(\S+)$/;
const PAUSE = /^=== PAUSE +(\S+)$/;
const END = /^--- (PASS|FAIL|SKIP): (\S+) \([\d.]+s\)$/;

/**
 * Only `-v` and `-json` show how many tests ran: test functions are counted, not their subtests. Functions run one after the other until
 * one pauses to run in parallel. So if another one seems to begin earlier, the current test printed that line itself.
 */
export const go: Runner = { name: 'go', findSummaries };

function findSummaries(text: string): readonly Summary[] {
  const lines = linesOf(text);
  const packages = lines.filter((line) => PACKAGE_ENDS.test(line) || NOTHING_RUN.test(line));
  if (packages.length === 0) return [];
  if (packages.every((line) => NOTHING_RUN.test(line))) return [{ at: 0, counts: NO_TESTS }];
  if (!lines.some((line) => RUN.test(line))) return [];
  return [{ at: Math.max(0, text.search(/^(?:=== RUN|\{".*"Action")/m)), counts: countLines(lines) }];
}

function countLines(lines: readonly string[]): TestCounts {
  let total = NO_TESTS;
  let inPackage = NO_TESTS;
  let current: string | undefined;
  const paused = new Set<string>();
  for (const line of lines) {
    const name = RUN.exec(line)?.[1];
    const [, result = '', ended] = END.exec(line) ?? [];
    const pausing = PAUSE.exec(line)?.[1];
    if (name !== undefined && !name.includes('/')) current ??= name;
    if (pausing !== undefined && pausing === current) {
      paused.add(pausing);
      current = undefined;
    }
    if (ended !== undefined && (ended === current || paused.has(ended))) {
      if (ended === current) current = undefined;
      paused.delete(ended);
      inPackage = addCounts(inPackage, RESULTS[result] ?? NO_TESTS);
    }
    // A failing package may end in the middle of a test.
    if (PACKAGE_ENDS.test(line) && (current === undefined || line.startsWith('FAIL'))) {
      total = addCounts(total, inPackage);
      inPackage = NO_TESTS;
      current = undefined;
      paused.clear();
    }
  }
  return total;
}

const RESULTS: Readonly<Record<string, TestCounts>> = {
  PASS: { ran: 1, failed: 0, skipped: 0 },
  FAIL: { ran: 1, failed: 1, skipped: 0 },
  SKIP: { ran: 0, failed: 0, skipped: 1 },
};

/** `-json` wraps the lines of `-v`, package by package. */
function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  const events = lines.flatMap((line) => outputOf(line) ?? []);
  if (events.length === 0) return lines;
  const packages = new Map<string, string[]>();
  for (const { name, output } of events) {
    const own = packages.get(name) ?? [];
    own.push(output);
    packages.set(name, own);
  }
  return [...packages.values()].flatMap((own) => own.join('').split('\n'));
}

function outputOf(line: string): { readonly name: string; readonly output: string } | undefined {
  if (!line.startsWith('{"') || !line.endsWith('}')) return undefined;
  const event = parseObject(line);
  if (event?.['Action'] !== 'output') return undefined;
  return { name: String(event['Package']), output: String(event['Output']) };
}
