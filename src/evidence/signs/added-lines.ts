import type { Line } from './scan-source.ts';
import type { Change } from './source.ts';

export type AddedLines = { readonly change: Change; readonly lines: readonly Line[] };

/**
 * Lines in the new texts that were not in the old ones, compared by their code without white space. A line that disappeared from another file was
 * moved, so it is not new; a line that was only a comment before is new.
 */
export function addedLines(changes: readonly Change[]): readonly AddedLines[] {
  const gone = new Map<string, number>();
  const more = changes.map((change) => {
    const old = countLines(change.before?.lines ?? []);
    const lines = (change.after?.lines ?? []).filter((line) => !take(old, keyOf(line)));
    for (const [key, count] of old) gone.set(key, (gone.get(key) ?? 0) + count);
    return { change, lines };
  });
  return more.map(({ change, lines }) => ({
    change,
    lines: lines.filter((line) => keyOf(line) !== '' && !take(gone, keyOf(line))),
  }));
}

function countLines(lines: readonly Line[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(keyOf(line), (counts.get(keyOf(line)) ?? 0) + 1);
  return counts;
}

function take(counts: Map<string, number>, key: string): boolean {
  const count = counts.get(key) ?? 0;
  if (count > 0) counts.set(key, count - 1);
  return count > 0;
}

function keyOf({ code }: Line): string {
  return code.replaceAll(' ', '');
}
