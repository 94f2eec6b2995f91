import { Fault } from '../core/fault.ts';
import type { Entry } from '../core/journal.ts';
import type { Witness } from './journal-chain.ts';

export function truncated(file: string, revision: number, witness: Witness): Fault {
  return new Fault(
    'JOURNAL_TRUNCATED',
    `The journal ${file} ends at revision ${revision}, but revision ${witness.revision} was committed (${witness.source}): its end was cut off or an old copy was put back. Restore the file from a backup, or start a new loop; nothing was guessed and nothing was changed.`,
  );
}

export function changedPast(file: string, witness: Witness): Fault {
  return new Fault(
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
