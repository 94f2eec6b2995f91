import { Fault, messageOf } from '../core/fault.ts';
import type { Entry } from '../core/journal.ts';
import type { Witness } from './journal-chain.ts';

export function truncated(file: string, revision: number, witness: Witness): Fault {
  return new Fault(
    'JOURNAL_TRUNCATED',
    `The journal ${file} ends at revision ${revision}, but revision ${witness.revision} was committed (${witness.source}): its end was cut off or an old copy was put back. ${adviceFor(file)}`,
  );
}

export function changedPast(file: string, witness: Witness): Fault {
  return new Fault(
    'JOURNAL_BROKEN',
    `The journal ${file} was changed: its revision ${witness.revision} is not the one that was committed (${witness.source}). ${adviceFor(file)}`,
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
    `The journal ${file} is broken at line ${line}: revision ${entry.revision} (${entry.at}) follows an entry that is missing, so a line before it was changed or removed by hand. ${good}${tornLines}. ${adviceFor(file)}`,
  );
}

/** The chain is intact, but tireless cannot have written this. `why`: the reason from the fold. */
export function unusableEntry(file: string, revision: number, why: unknown): Fault {
  const reason = messageOf(why);
  return new Fault(
    'JOURNAL_BROKEN',
    `The journal ${file} has an entry that cannot be used, revision ${revision}: it was changed or added by hand (${reason}). ${adviceFor(file)}`,
    { cause: why },
  );
}

/** While the broken journal exists, its session cannot get another loop. */
function adviceFor(file: string): string {
  const folder = file.replace(/[/\\][^/\\]*$/u, '');
  return `Restore the file from a backup, or give up the loop: move ${folder} away, and start a new one. Nothing was changed.`;
}
