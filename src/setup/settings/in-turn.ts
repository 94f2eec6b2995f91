import { Fault, isFault } from '../../core/fault.ts';

/** How far it came. `fault`: why the first of `left` could not be written; `null` = none is left. */
type Come<T> = { readonly done: readonly T[]; readonly left: readonly T[]; readonly fault: Fault | null };

/** One after the other, up to the first that cannot be written: a full disk would refuse the rest too. */
export function inTurn<T>(all: readonly T[], write: (one: T) => void): Come<T> {
  for (const [index, one] of all.entries()) {
    try {
      write(one);
    } catch (error) {
      if (!isFault(error)) throw error;
      return { done: all.slice(0, index), left: all.slice(index), fault: error };
    }
  }
  return { done: all, left: [], fault: null };
}

type Said = {
  readonly word: 'installed' | 'taken out';
  readonly done: readonly string[];
  /** The first is the one that could not be written. */
  readonly left: readonly string[];
  /** Of `left`. */
  readonly hosts: readonly string[];
};

/** Whoever asked for several also hears which of them are done and which are not. */
export function saidInFull(fault: Fault, { word, done, left, hosts: [failed = '', ...rest] }: Said): Fault {
  if (done.length + left.length < 2) return fault;
  const others = [...new Set(rest)].filter((host) => host !== failed);
  const go = others.length === 0 ? '' : `; to go on without ${failed}, name only: ${others.join(' ')}`;
  return new Fault(
    fault.code,
    `${fault.message} Already ${word}: ${done.join(', ') || 'nothing'}. Not ${word}, and as before: ${left.join(', ')}. Run the same command again once that is put right${go}.`,
    { cause: fault },
  );
}
