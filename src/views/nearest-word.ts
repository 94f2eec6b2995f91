/** How many letters may differ before a suggestion is more confusing than none. */
const DISTANCE_SHARE = 3;

/** The known word a typo most likely meant. */
export function nearestWord(word: string, known: readonly string[]): string | undefined {
  const scored = known.map((candidate) => ({ candidate, distance: distanceOf(word, candidate) }));
  const best = scored.toSorted((a, b) => a.distance - b.distance)[0];
  return best !== undefined && best.distance <= Math.max(1, Math.floor(word.length / DISTANCE_SHARE))
    ? best.candidate
    : undefined;
}

/** ` Did you mean X?`, or nothing: for a name that is incomplete or misspelt. */
export function didYouMean(given: string, known: readonly string[]): string {
  const begun = known.find((name) => given.length > 1 && name.startsWith(given.toLowerCase()));
  const meant = begun ?? nearestWord(given.toLowerCase(), known);
  return meant === undefined ? '' : ` Did you mean ${meant}?`;
}

/** Letters added, left out, replaced, or swapped with their neighbour. One row at a time; the words are short. */
function distanceOf(a: string, b: string): number {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min(replaced, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
