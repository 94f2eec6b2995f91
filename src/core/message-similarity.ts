import type { MessageFacts } from './evidence.ts';
import { MESSAGE_PREVIEW_CHARS_MAX } from './evidence.ts';

const MESSAGE_SCANNED_CHARS_MAX = 256 * 1024;
const SKETCH_SIZE = 32;
const WORDS_MAX = 8000;
const WORD = /[\p{L}\p{N}_]+/gu;
const FNV_START = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** The facts about the agent's last message that a decision may use: never the whole message. */
export function messageFacts(message: string): MessageFacts {
  return {
    preview: message.slice(-MESSAGE_PREVIEW_CHARS_MAX),
    bytes: message.length,
    sketch: sketchOf(message.slice(-MESSAGE_SCANNED_CHARS_MAX)),
  };
}

/** The smallest hashes of a text's word triples: similar texts share most of them, whatever their length. */
export function sketchOf(text: string): readonly number[] {
  const words = (text.toLowerCase().match(WORD) ?? []).slice(-WORDS_MAX);
  const hashes = new Set<number>();
  const first = Math.min(words.length, 3) - 1;
  let [before, last] = [0, 0];
  for (let at = 0; at < words.length; at++) {
    const own = fnv1a(words[at] ?? '');
    if (at >= first) hashes.add(mixed(mixed(before, last), own) >>> 0);
    before = last;
    last = own;
  }
  return smallest(hashes);
}

/** 0 = nothing in common, 1 = the same; an estimate of the share of common triples. */
export function similarity(a: readonly number[], b: readonly number[]): number {
  if (a.length === 0 || b.length === 0) return a.length === b.length ? 1 : 0;
  const union = smallest(new Set([...a, ...b]));
  const inA = new Set(a);
  const inB = new Set(b);
  return union.filter((hash) => inA.has(hash) && inB.has(hash)).length / union.length;
}

/** A typed array, because it sorts numerically. */
function smallest(hashes: ReadonlySet<number>): readonly number[] {
  return [...Uint32Array.from(hashes).toSorted().subarray(0, SKETCH_SIZE)];
}

function mixed(hash: number, word: number): number {
  return Math.imul((hash ^ (hash >>> 15)) + word, FNV_PRIME);
}

function fnv1a(text: string): number {
  let hash = FNV_START;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), FNV_PRIME);
  return hash;
}
