import type { TestCounts } from '../../core/evidence.ts';
import { cleanText } from '../check-output.ts';
import { addCounts } from './runner.ts';
import type { Runner, Summary } from './runner.ts';
import { RUNNERS } from './runners.ts';
import { SCRIPT_BEGINS, splitByPackage, splitByScript } from './scripts.ts';

/** No summary line is longer, and patterns may take quadratic time. */
const LINE_LENGTH_MAX = 512;

/**
 * How many tests a command ran, according to its test runners. Tests and product code print to the same streams, so a summary
 * counts only as the close of a run: one per run, and runs are told apart by the line with which a runner or a script begins. In doubt
 * the smaller number is used: a look-alike lowers the count. Only code that forges a whole run, header and close, can raise it.
 */
export function countTests(output: { readonly stdout: string; readonly stderr: string }): TestCounts | undefined {
  const stdout = shortLines(output.stdout);
  const fromStdout = countStream(stdout);
  const fromStderr = countStream(shortLines(output.stderr));
  if (fromStdout === undefined || fromStderr === undefined) return fromStdout ?? fromStderr;
  // A runner prints its summary to one stream only: two summaries need two commands.
  const scripts = [...stdout.matchAll(SCRIPT_BEGINS)].length;
  return scripts > 1 ? addCounts(fromStdout, fromStderr) : smallest([fromStdout, fromStderr]);
}

function shortLines(raw: string): string {
  const lines = cleanText(raw).split('\n');
  return lines.map((line) => line.slice(0, LINE_LENGTH_MAX)).join('\n');
}

function countStream(text: string): TestCounts | undefined {
  const { rest, packages } = splitByPackage(text);
  const fromRest = sum(splitByScript(rest).map(countPart));
  const fromPackages = sum(packages.flatMap(splitByScript).map(countPart));
  // Tests run inside packages or outside, rarely both.
  if (fromRest === undefined || fromPackages === undefined) return fromRest ?? fromPackages;
  return smallest([fromRest, fromPackages]);
}

type Found = Summary & { readonly runner: Runner };

type Run = { readonly begunBy: string; readonly summaries: readonly Found[] };

/**
 * A summary before the first run comes from a runner that prints no begin line, or was printed by code that the runner loads before it
 * prints that line.
 */
function countPart(text: string): TestCounts | undefined {
  const begins = RUNNERS.flatMap(({ name, begins: line }) =>
    line === undefined ? [] : [...text.matchAll(line)].map(({ index }) => ({ at: index, begunBy: name })),
  ).toSorted((one, other) => one.at - other.at);
  const before: Found[] = [];
  const runs = begins.map(({ begunBy }) => ({ begunBy, summaries: new Array<Found>() }));
  const found = RUNNERS.flatMap((runner) => runner.findSummaries(text).map((summary) => ({ ...summary, runner })));
  let index = -1;
  for (const summary of found.toSorted((one, other) => one.at - other.at)) {
    while ((begins[index + 1]?.at ?? Infinity) <= summary.at) index += 1;
    (runs[index]?.summaries ?? before).push(summary);
  }
  if (before.length === 0) return countRuns(runs);
  return runs.length === 0 ? countRun(before) : smallest([countRun(before), countRuns(runs)]);
}

/** A run that began and never closed may have been cut short by code that prints the rest itself: runs of its kind are not added up. */
function countRuns(runs: readonly Run[]): TestCounts | undefined {
  const kinds = [...new Set(runs.map(({ begunBy }) => begunBy))];
  const counted = kinds.map((kind) => {
    const own = runs.filter(({ begunBy }) => begunBy === kind);
    const closed = own.filter(({ summaries }) => summaries.length > 0).map(({ summaries }) => countRun(summaries));
    return closed.length < own.length ? smallest(closed) : sum(closed);
  });
  return sum(counted);
}

function countRun(summaries: readonly Found[]): TestCounts | undefined {
  const own = summaries.filter(({ runner }) => runner.fallback !== true);
  const all = (own.length > 0 ? own : summaries).map(({ counts }) => counts);
  const least = smallest(all);
  const last = all.at(-1);
  if (least === undefined || last === undefined) return least;
  // The last one is the runner's own, unless code printed it at exit: then the summary before it has the same number of tests.
  const failed = all.filter((counts) => counts?.ran === last.ran).map((counts) => counts?.failed ?? 0);
  return { ...least, failed: Math.max(...failed) };
}

/** No number counts as the smallest. */
function smallest(all: readonly (TestCounts | undefined)[]): TestCounts | undefined {
  return all.reduce((one, other) => (one === undefined || other === undefined ? undefined : lower(one, other)), all[0]);
}

function lower(one: TestCounts, other: TestCounts): TestCounts {
  if (other.ran !== one.ran) return other.ran < one.ran ? other : one;
  return {
    ran: one.ran,
    failed: Math.max(one.failed, other.failed),
    skipped: Math.max(one.skipped, other.skipped),
  };
}

function sum(all: readonly (TestCounts | undefined)[]): TestCounts | undefined {
  return all.reduce(
    (one, other) => (one === undefined || other === undefined ? (one ?? other) : addCounts(one, other)),
    undefined,
  );
}
