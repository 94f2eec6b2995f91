/** What the agent did to tests. Matters only if there is no room: the room runs the tests of the baseline. */
import type { Sign } from '../../core/room.ts';
import { addedLines } from './added-lines.ts';
import type { TestWords } from './language.ts';
import type { Line } from './scan-source.ts';
import type { Change, Source } from './source.ts';
import { hasIn, matchesIn, signOf } from './source.ts';

/** The maximum number of lines between a decorator and its test, and between a test and a skip in its body. */
const NEAR_MAX = 40;

export function testSigns(changes: readonly Change[]): readonly Sign[] {
  const removed = removedSigns(changes);
  const rest = addedLines(changes).flatMap(({ change: { before, after }, lines }) =>
    before === undefined || after === undefined
      ? []
      : [...skippedSigns(before, after, lines), ...emptiedSigns(before, after, lines)],
  );
  return [...removed, ...rest];
}

/** Tests that disappeared and did not come back elsewhere. Renaming, splitting or merging files loses nothing in total. */
function removedSigns(changes: readonly Change[]): Sign[] {
  const balance = changes.map((change) => ({ change, more: countTests(change.after) - countTests(change.before) }));
  const total = balance.reduce((sum, { more }) => sum + more, 0);
  if (total >= 0) return [];
  return balance
    .filter(({ change, more }) => more < 0 && !isParametrized(change))
    .flatMap(({ change }) => {
      const line = (change.after ?? change.before)?.lines.find(({ raw }) => raw.trim() !== '');
      const lost = firstLost(change);
      if (line === undefined || lost === undefined) return [];
      return [{ ...signOf('tests-removed', change.path, lost), line: change.after === undefined ? 1 : line.number }];
    });
}

function firstLost({ before, after }: Change): Line | undefined {
  const left = after === undefined ? new Set<string>() : new Set(after.lines.map(({ code }) => code));
  return before?.lines.find((line) => hasIn(line, before.language.tests.declares) && !left.has(line.code));
}

function isParametrized({ before, after }: Change): boolean {
  const pattern = after?.language.tests.parametrizes;
  if (pattern === undefined || before === undefined || after === undefined) return false;
  return countLines(after, pattern) > countLines(before, pattern);
}

/** An existing test is skipped, or all but one are. Skipping a new test takes nothing away. */
function skippedSigns(before: Source, after: Source, lines: readonly Line[]): Sign[] {
  const words = after.language.tests;
  const known = testNames(before, words);
  if (countTests(before) === 0) return [];
  return lines
    .filter((line) => {
      if (words.singles !== undefined && hasIn(line, words.singles)) return true;
      if (!hasIn(line, words.skips)) return false;
      const name = nameAround(after, line, words);
      return name === undefined || known.has(name);
    })
    .map((line) => signOf('tests-skipped', after.path, line));
}

/** The name of the test that a line belongs to: on the line, below a decorator, or above a body. */
function nameAround(source: Source, line: Line, words: TestWords): string | undefined {
  const own = namesOn(line, words)[0];
  if (own !== undefined) return own;
  const isDecorator = /^[@#]/.test(line.code);
  const at = line.number - 1;
  const near = isDecorator
    ? source.lines.slice(at + 1, at + 1 + NEAR_MAX)
    : source.lines
        .slice(Math.max(0, at - NEAR_MAX), at)
        .toReversed()
        .filter(({ indent }) => indent < line.indent);
  return near.map((one) => namesOn(one, words)[0]).find((name) => name !== undefined);
}

function testNames(source: Source, words: TestWords): ReadonlySet<string> {
  return new Set(source.lines.flatMap((line) => namesOn(line, words)));
}

function namesOn(line: Line, words: TestWords): readonly string[] {
  return matchesIn(line, words.declares).flatMap((match) => match.slice(1).find((name) => name !== undefined) ?? []);
}

/** An assertion that is always true, in a file that has fewer real ones than before. */
function emptiedSigns(before: Source, after: Source, lines: readonly Line[]): Sign[] {
  const { asserts, tautologies } = after.language.tests;
  const found = lines.filter((line) => hasIn(line, tautologies));
  if (found.length === 0) return [];
  const real = (source: Source): number => countLines(source, asserts) - countLines(source, tautologies);
  return real(after) >= real(before) ? [] : found.map((line) => signOf('assertion-emptied', after.path, line));
}

function countTests(source: Source | undefined): number {
  return source === undefined ? 0 : countLines(source, source.language.tests.declares);
}

function countLines(source: Source, pattern: RegExp): number {
  return source.lines.reduce((sum, line) => sum + (hasIn(line, pattern) ? 1 : 0), 0);
}
