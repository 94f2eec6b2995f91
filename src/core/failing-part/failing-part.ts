/**
 * Finds the part of a check's output that shows what failed. It is shown, never compared, and no decision depends on it. Pure; bounded by
 * the window below, whatever a check prints.
 */
import { bytesOf, tailWithin } from '../quoting.ts';
import type { Failure } from './find-failures.ts';
import { CUT_NOTE, findFailures } from './find-failures.ts';

/** Of longer output, only the beginning and the end are read. */
const WINDOW_CHARS_MAX = 512 * 1024;
const WINDOW_LINES_MAX = 20_000;
const LINE_CHARS_MAX = 1000;
/** The share of the kept output that may be failures; the rest is the end of the output. */
const FAILURES_SHARE = 0.75;
const GAP_BYTES = 40;
const ERROR_LIKE =
  /(?:error|exception|fail(?:ed|ure|s|ing)?|panic(?:ked)?|fatal|cannot|not found|undefined reference|assert\w*)\b|✖|✗|×/i;
const NO_ERROR =
  /\b0 (?:errors?|fail\w*|problems?)|\b(?:errors?|fail\w*):? 0\b|^npm (?:error|ERR!)|--- PASS|\bno errors?\b/i;
const LINES_BEFORE_ERROR = 1;
const LINES_AFTER_ERROR = 7;
const END_LINES = 3;

/** For people: the failing part in a few lines, without blank lines, and how much more there is. Empty if nothing looks like a failure. */
export function failingLines(text: string, linesMax: number): readonly string[] {
  const lines = windowOf(text);
  const failures = findFailures(lines);
  if (failures.length === 0) return aroundError(lines, linesMax);
  const shown: string[] = [];
  let shownFailures = 0;
  for (const failure of failures) {
    // Only the first failure is ever cut: half a failure hides its other half.
    const isLast = shownFailures === failures.length - 1;
    const room = linesMax - shown.length - (isLast ? 0 : 1);
    const kept = failure.lines.length <= room ? failure.lines : cut(failure, room);
    if (kept.length === 0 || (shownFailures > 0 && kept.length < failure.lines.length)) break;
    shown.push(...outdented(kept.map((at) => lines[at] ?? '')));
    shownFailures += 1;
  }
  const more = failures.length - shownFailures;
  return more === 0 ? shown : [...shown, `[${more} more ${more === 1 ? 'failure' : 'failures'}]`];
}

/** For text that a person also sees: the whole output if it is short enough, otherwise its failing part, otherwise its end. */
export function shortOutput(text: string, linesMax: number): string {
  const whole = text.trimEnd();
  const lines = whole.split('\n').filter((line) => line.trim() !== '');
  if (lines.length <= linesMax) return whole;
  const failing = failingLines(whole, linesMax);
  return (failing.length > 0 ? failing : lines.slice(-linesMax)).join('\n');
}

/** For the journal and the agent: the failures, then as much of the end as fits, in the order of the output. */
export function failingOutput(text: string, bytesMax: number): string {
  if (bytesOf(text.slice(0, bytesMax + 1)) <= bytesMax && text.length <= bytesMax) return text;
  const lines = windowOf(text);
  const failures = findFailures(lines);
  const wanted =
    failures.length > 0
      ? failures.flatMap(({ heading, lines: own }) => (heading === undefined ? own : [heading, ...own]))
      : errorLines(lines);
  if (wanted.length === 0) return tailWithin(text, bytesMax);
  const kept = new Set<number>();
  let bytes = GAP_BYTES;
  const add = (at: number, max: number): boolean => {
    const isGap = !kept.has(at - 1) && !kept.has(at + 1);
    const cost = kept.has(at) ? 0 : bytesOf(lines[at] ?? '') + 1 + (isGap ? GAP_BYTES : 0);
    if (bytes + cost > max) return false;
    bytes += cost;
    kept.add(at);
    return true;
  };
  wanted.every((at) => add(at, Math.floor(bytesMax * FAILURES_SHARE)));
  for (let at = lines.length - 1; at >= 0; at -= 1) if (!add(at, bytesMax)) break;
  // A note about the cut would look like the end of the failure to the next reader of this output.
  return withGaps(lines, kept, new Set(failures.flatMap(({ noise }) => noise)));
}

function windowOf(text: string): readonly string[] {
  const half = WINDOW_CHARS_MAX / 2;
  const near =
    text.length <= WINDOW_CHARS_MAX
      ? text
      : `${text.slice(0, half)}\n[${text.length - WINDOW_CHARS_MAX} characters left out]\n${text.slice(-half)}`;
  const all = near.split('\n');
  const lines =
    all.length <= WINDOW_LINES_MAX
      ? all
      : [
          ...all.slice(0, WINDOW_LINES_MAX / 2),
          `[${all.length - WINDOW_LINES_MAX} lines left out]`,
          ...all.slice(-WINDOW_LINES_MAX / 2),
        ];
  return lines.map((line) =>
    line.length <= LINE_CHARS_MAX
      ? line.trimEnd()
      : `${line.slice(0, LINE_CHARS_MAX).replace(/[\uD800-\uDBFF]$/, '')}…`,
  );
}

/** Keeps the most important lines of a failure that is too long. */
function cut({ lines, vital }: Failure, room: number): readonly number[] {
  const some = vital.length > 0 ? vital : lines;
  return some.slice(0, Math.max(0, room));
}

/** No tool is recognised: takes the first line that mentions an error, the lines around it, and the end. */
function errorLines(lines: readonly string[]): readonly number[] {
  const first = lines.findIndex((line) => ERROR_LIKE.test(line) && !NO_ERROR.test(line));
  if (first < 0) return [];
  const from = Math.max(0, first - LINES_BEFORE_ERROR);
  return lines.flatMap((line, at) =>
    at >= from && at <= first + LINES_AFTER_ERROR && line !== '' && !CUT_NOTE.test(line) ? [at] : [],
  );
}

function aroundError(lines: readonly string[], linesMax: number): readonly string[] {
  const around = errorLines(lines);
  if (around.length === 0) return [];
  const last = lines.flatMap((line, at) => (line.trim() === '' ? [] : [at])).slice(-END_LINES);
  const head = around.slice(0, Math.max(1, linesMax - END_LINES - 1));
  const end = last.filter((at) => at > (head.at(-1) ?? -1)).slice(-Math.max(0, linesMax - head.length - 1));
  const isGap = end.length > 0 && lines.slice((head.at(-1) ?? 0) + 1, end[0]).some((line) => line.trim() !== '');
  const text = (all: readonly number[]): string[] => all.map((at) => lines[at] ?? '');
  return outdented([...text(head), ...(isGap ? ['…'] : []), ...text(end)]);
}

function withGaps(lines: readonly string[], kept: ReadonlySet<number>, silent: ReadonlySet<number>): string {
  const parts: string[] = [];
  let skipped = 0;
  lines.forEach((line, at) => {
    if (!kept.has(at)) {
      skipped += line.trim() === '' || silent.has(at) ? 0 : 1;
      return;
    }
    if (skipped > 0) parts.push(`[${skipped} ${skipped === 1 ? 'line' : 'lines'} left out]`);
    skipped = 0;
    parts.push(line);
  });
  return parts.join('\n');
}

/** Removes the indentation that all lines share. */
function outdented(lines: readonly string[]): readonly string[] {
  const depth = Math.min(...lines.map((line) => line.search(/\S|$/)));
  return Number.isFinite(depth) ? lines.map((line) => line.slice(depth)) : lines;
}
