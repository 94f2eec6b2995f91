/** The change of one file; `null` = the file is missing. */
export type FileChange = { readonly file: string; readonly before: string | null; readonly after: string | null };

type Step = { readonly sign: ' ' | '-' | '+'; readonly line: string };

const CONTEXT_LINES = 3;
/** Above this many pairs of lines, the changed middle is shown as one block: still exact, only longer. */
const PAIRS_MAX = 4_000_000;

/** The change of one file as `diff -u` prints it; empty = no change. */
export function unifiedDiff({ file, before, after }: FileChange): string {
  if (before === after) return '';
  const steps = stepsBetween(linesIn(before), linesIn(after));
  const from = before === null ? '/dev/null' : file;
  const to = after === null ? '/dev/null' : file;
  return `--- ${from}\n+++ ${to}\n${hunksOf(steps).join('')}`;
}

/** Each line with its line ending. */
function linesIn(text: string | null): readonly string[] {
  return text === null || text === '' ? [] : text.split(/(?<=\n)/u);
}

/** The common beginning and the common end are not compared pair by pair. */
function stepsBetween(before: readonly string[], after: readonly string[]): readonly Step[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (
    end < Math.min(before.length, after.length) - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end += 1;
  return [
    ...before.slice(0, start).map(kept),
    ...middleSteps(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(kept),
  ];
}

/** By the longest common subsequence. */
function middleSteps(before: readonly string[], after: readonly string[]): readonly Step[] {
  if (before.length * after.length > PAIRS_MAX) return [...before.map(removed), ...after.map(added)];
  const width = after.length + 1;
  const common = new Uint32Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i -= 1)
    for (let j = after.length - 1; j >= 0; j -= 1)
      common[i * width + j] =
        before[i] === after[j]
          ? (common[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(common[(i + 1) * width + j] ?? 0, common[i * width + j + 1] ?? 0);
  const steps: Step[] = [];
  let [i, j] = [0, 0];
  while (i < before.length && j < after.length) {
    const [one = '', other = ''] = [before[i], after[j]];
    if (one === other) {
      steps.push(kept(one));
      i += 1;
      j += 1;
    } else if ((common[(i + 1) * width + j] ?? 0) >= (common[i * width + j + 1] ?? 0)) {
      steps.push(removed(one));
      i += 1;
    } else {
      steps.push(added(other));
      j += 1;
    }
  }
  return [...steps, ...before.slice(i).map(removed), ...after.slice(j).map(added)];
}

/** Changes with their context lines; changes that touch become one hunk. */
function hunksOf(steps: readonly Step[]): readonly string[] {
  const changed = steps.flatMap(({ sign }, at) => (sign === ' ' ? [] : [at]));
  const ranges: { from: number; to: number }[] = [];
  for (const at of changed) {
    const from = Math.max(at - CONTEXT_LINES, 0);
    const to = Math.min(at + CONTEXT_LINES + 1, steps.length);
    const last = ranges.at(-1);
    if (last !== undefined && from <= last.to) last.to = to;
    else ranges.push({ from, to });
  }
  return ranges.map(({ from, to }) => hunkText(steps, from, to));
}

function hunkText(steps: readonly Step[], from: number, to: number): string {
  const side = (other: '-' | '+'): string => {
    const start = steps.slice(0, from).filter(({ sign }) => sign !== other).length;
    const count = steps.slice(from, to).filter(({ sign }) => sign !== other).length;
    return `${count === 0 ? start : start + 1}${count === 1 ? '' : `,${count}`}`;
  };
  const lines = steps.slice(from, to).map(({ sign, line }) => `${sign}${lineText(line)}`);
  return `@@ -${side('+')} +${side('-')} @@\n${lines.join('')}`;
}

function lineText(line: string): string {
  return line.endsWith('\n') ? line : `${line}\n\\ No newline at end of file\n`;
}

function kept(line: string): Step {
  return { sign: ' ', line };
}

function removed(line: string): Step {
  return { sign: '-', line };
}

function added(line: string): Step {
  return { sign: '+', line };
}
