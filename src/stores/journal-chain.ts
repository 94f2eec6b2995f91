import { Fault } from '../core/fault.ts';
import type { Entry } from '../core/journal.ts';

/**
 * The hashes of the committed entries, in order: `hashes[0]` is that of revision `base + 1`. A whole journal has base 0; a
 * chain picked up at a snapshot begins there. 64 characters per entry: a loop of 10,000 iterations holds about 3 MB.
 */
export type Chain = { readonly base: number; readonly hashes: string[] };

/** `next` is committed. A `twin` lost the race for its place and is void. A `stranger` follows nothing that was ever here. */
export type Place = 'next' | 'twin' | 'stranger';

/** The compare-and-swap: the first entry to follow a given hash wins. */
export function placeOf(chain: Chain, entry: Pick<Entry, 'revision' | 'prev'>): Place {
  const head = revisionOf(chain);
  if (entry.prev !== hashAt(chain, entry.revision - 1)) return 'stranger';
  return entry.revision === head + 1 ? 'next' : 'twin';
}

export function revisionOf(chain: Chain): number {
  return chain.base + chain.hashes.length;
}

/** `null` stands before the first entry; `undefined` = not in this chain. */
export function hashAt(chain: Chain, revision: number): string | null | undefined {
  return revision === 0 ? null : chain.hashes[revision - chain.base - 1];
}

/** A revision known to be committed from somewhere else than the journal: its snapshot, or an earlier look at it. */
export type Witness = { readonly revision: number; readonly hash: string; readonly source: string };

/** What was once committed must still be there, unchanged. */
export function checkWitness(chain: Chain, witness: Witness, file: string): void {
  const revision = revisionOf(chain);
  if (revision < witness.revision) {
    throw new Fault(
      'JOURNAL_TRUNCATED',
      `The journal ${file} ends at revision ${revision}, but revision ${witness.revision} was committed (${witness.source}): its end was cut off or an old copy was put back. Restore the file from a backup, or start a new loop; nothing was guessed and nothing was changed.`,
    );
  }
  if (hashAt(chain, witness.revision) === witness.hash) return;
  throw new Fault(
    'JOURNAL_BROKEN',
    `The journal ${file} was changed by hand: its revision ${witness.revision} is not the one that was committed (${witness.source}). ${BROKEN_ADVICE}`,
  );
}

export type Damage = {
  readonly line: number;
  readonly entry: Pick<Entry, 'revision' | 'at'>;
  /** The newest committed entry before it; absent = none. */
  readonly last: { readonly revision: number; readonly at: string } | undefined;
  readonly torn: number;
};

export function brokenChain(file: string, { line, entry, last, torn }: Damage): Fault {
  const good = last === undefined ? 'No entry before it is good' : `Good up to revision ${last.revision} (${last.at})`;
  const tornLines = torn === 0 ? '' : `, with ${torn} unfinished ${torn === 1 ? 'line' : 'lines'} skipped`;
  return new Fault(
    'JOURNAL_BROKEN',
    `The journal ${file} is broken at line ${line}: revision ${entry.revision} (${entry.at}) follows an entry that is not there, so a line before it was changed or removed by hand. ${good}${tornLines}. ${BROKEN_ADVICE}`,
  );
}

const BROKEN_ADVICE =
  'Restore the file from a backup, or start a new loop with "tireless run"; nothing was guessed and nothing was changed.';
