import type { Entry } from '../core/journal.ts';
import { changedPast, truncated } from './journal-faults.ts';

/**
 * The hashes of the committed entries, in order: `hashes[0]` is that of revision `base + 1`. A whole journal has base 0; a
 * chain picked up at a snapshot begins there. 64 characters per entry: a loop of 10,000 iterations holds about 3 MB.
 */
export type Chain = { readonly base: number; readonly hashes: string[] };

/** `next`: committed. `twin`: lost the race for its place and is void. `stranger`: follows nothing that was ever here. */
export type ChainPosition = 'next' | 'twin' | 'stranger';

/** The compare-and-swap: the first entry to follow a given hash wins. */
export function positionOf(chain: Chain, entry: Pick<Entry, 'revision' | 'prev'>): ChainPosition {
  const head = revisionOf(chain);
  if (entry.prev !== hashAt(chain, entry.revision - 1)) return 'stranger';
  return entry.revision === head + 1 ? 'next' : 'twin';
}

export function revisionOf(chain: Chain): number {
  return chain.base + chain.hashes.length;
}

/** `null` comes before the first entry; `undefined` = not in this chain. */
export function hashAt(chain: Chain, revision: number): string | null | undefined {
  return revision === 0 ? null : chain.hashes[revision - chain.base - 1];
}

/** A revision known to be committed from a source other than the journal: its snapshot, or an earlier look at it. */
export type Witness = {
  readonly revision: number;
  readonly hash: string;
  readonly source: string;
  /** The journal's total size in bytes at that time; absent = not known. */
  readonly end?: number;
};

/** An entry that was committed must still exist, unchanged. `end`: the journal's current size in bytes. */
export function checkWitness(chain: Chain, end: number, witness: Witness, file: string): void {
  const revision = revisionOf(chain);
  if (revision < witness.revision)
    // Not shorter than before, so nothing was cut off.
    throw witness.end !== undefined && end >= witness.end
      ? changedPast(file, { ...witness, revision: revision + 1 })
      : truncated(file, revision, witness);
  if (witness.revision > chain.base && hashAt(chain, witness.revision) !== witness.hash)
    throw changedPast(file, witness);
}
