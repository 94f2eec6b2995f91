const SKETCH_SIZE = 32;
const WORDS_MAX = 8000;

/** The smallest hashes of a text's word triples: near-equal texts share most of them, whatever their length. */
export function sketchOf(text: string): readonly number[] {
  const words = wordsOf(text.toLowerCase()).slice(-WORDS_MAX);
  const hashes = new Set<number>();
  for (let index = 0; index < Math.max(1, words.length - 2) && words.length > 0; index++) {
    hashes.add(fnv1a(words.slice(index, index + 3).join(' ')));
  }
  return [...hashes].toSorted((a, b) => a - b).slice(0, SKETCH_SIZE);
}

/** Plain text is asked plainly: to know all letters of the world costs a cold hook half a millisecond. */
function wordsOf(text: string): readonly string[] {
  return (/^[\t-\r -~]*$/.test(text) ? text.match(/[a-z0-9_]+/g) : text.match(/[\p{L}\p{N}_]+/gu)) ?? [];
}

/** 0 = nothing in common, 1 = the same; an estimate of the share of common triples. */
export function similarity(a: readonly number[], b: readonly number[]): number {
  if (a.length === 0 || b.length === 0) return a.length === b.length ? 1 : 0;
  const union = [...new Set([...a, ...b])].toSorted((x, y) => x - y).slice(0, SKETCH_SIZE);
  const inA = new Set(a);
  const inB = new Set(b);
  return union.filter((hash) => inA.has(hash) && inB.has(hash)).length / union.length;
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
