import type { ToolOutput } from './tool-output.ts';
import { TOOL_OUTPUTS } from './tool-output.ts';

/**
 * The numbers of the lines to show. `vital`: those to keep if there are too many. `heading`: the line above the list of failures; a second
 * search would not find the failure without it.
 */
export type Failure = {
  readonly lines: readonly number[];
  readonly vital: readonly number[];
  /** Lines inside the failure that carry no information. */
  readonly noise: readonly number[];
  readonly heading?: number;
};

/** Per failure, so that a dump of a megabyte is not read to its end. */
const FAILURE_LINES_MAX = 200;
const LEAD_LINES_MAX = 8;
const FAILURES_MAX = 500;
/** Nothing beyond the width of a screen helps to find the start of a failure. */
const MATCHED_CHARS_MAX = 300;
/** What npm adds to the output of a script. */
const NPM = /^npm (?:error|ERR!|notice|warn)\b/;
/** Our own note that something was cut. */
export const CUT_NOTE: RegExp = /^\[\d+ (?:lines?|bytes|characters) left out\]$/;

/** Every failure that a known tool reports in this output, in order; empty if no tool is recognised. */
export function findFailures(output: readonly string[]): readonly Failure[] {
  const lines = output.map((line) => line.slice(0, MATCHED_CHARS_MAX).trimEnd());
  for (const tool of TOOL_OUTPUTS) {
    const found = failuresOf(tool, lines);
    if (found.length > 0) return found;
  }
  return [];
}

function failuresOf(tool: ToolOutput, lines: readonly string[]): readonly Failure[] {
  const { section } = tool;
  const heading = section === undefined ? -1 : lines.findIndex((line) => section.test(line));
  if (section !== undefined && heading < 0) return [];
  const failures: Failure[] = [];
  const seen = new Set<string>();
  let from = heading + 1;
  while (from < lines.length && failures.length < FAILURES_MAX) {
    if (!isBegin(tool, lines, from)) {
      from += 1;
      continue;
    }
    const end = endOf(tool, lines, from);
    const failure = failureIn(tool, lines, leadOf(tool, lines, from), end);
    const text = failure.lines.map((at) => lines[at]?.trim()).join('\n');
    if (!seen.has(text) && !isEcho(tool, lines, from, end))
      failures.push(heading < 0 ? failure : { ...failure, heading });
    seen.add(text);
    from = end;
  }
  return failures;
}

/** `repeats` may match a line that is otherwise noise. */
function isEcho({ repeats }: ToolOutput, lines: readonly string[], from: number, end: number): boolean {
  return repeats !== undefined && lines.slice(from, end).some((line) => repeats.test(line));
}

function isBegin({ begins, second }: ToolOutput, lines: readonly string[], at: number): boolean {
  return begins.test(lines[at] ?? '') && (second === undefined || second.test(lines[at + 1] ?? ''));
}

function endOf(tool: ToolOutput, lines: readonly string[], from: number): number {
  const last = Math.min(lines.length, from + FAILURE_LINES_MAX);
  let at = from + 1;
  while (at < last && !isBegin(tool, lines, at) && !isEnd(tool, lines[at] ?? '')) at += 1;
  return at;
}

function isEnd({ ends }: ToolOutput, line: string): boolean {
  return ends.test(line) || CUT_NOTE.test(line) || NPM.test(line);
}

function leadOf({ leads }: ToolOutput, lines: readonly string[], from: number): number {
  if (leads === undefined) return from;
  let at = from;
  while (at > 0 && from - at < LEAD_LINES_MAX && leads.test(lines[at - 1] ?? '')) at -= 1;
  return at;
}

function failureIn(tool: ToolOutput, lines: readonly string[], from: number, end: number): Failure {
  const shown: number[] = [];
  const noise: number[] = [];
  for (let at = from; at < end; at += 1) {
    const line = lines[at] ?? '';
    (line === '' || tool.noise?.test(line) === true ? noise : shown).push(at);
  }
  const { vital } = tool;
  const most = vital === undefined ? shown : shown.filter((at) => vital.test(lines[at] ?? ''));
  return { lines: shown, vital: most, noise };
}
