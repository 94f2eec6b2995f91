import { Fault, isFault } from '../../core/fault.ts';

/** `fault`: why the first of `left` could not be written; `null` = all were written. */
type WriteResult<T> = { readonly done: readonly T[]; readonly left: readonly T[]; readonly fault: Fault | null };

/** Writes one after the other and stops at the first failure: a full disk would refuse the rest too. */
export function writeEach<T>(all: readonly T[], write: (one: T) => void): WriteResult<T> {
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

type Extent = {
  readonly word: 'installed' | 'removed';
  readonly done: readonly string[];
  /** The first is the one that could not be written. */
  readonly left: readonly string[];
  /** The hosts of `left`. */
  readonly hosts: readonly string[];
};

/** The fault with a list of what was written and what was not, if there was more than one. */
export function partialFault(fault: Fault, { word, done, left, hosts: [failed = '', ...rest] }: Extent): Fault {
  if (done.length + left.length < 2) return fault;
  const others = [...new Set(rest)].filter((host) => host !== failed);
  const go = others.length === 0 ? '' : `; to continue without ${failed}, name only: ${others.join(' ')}`;
  return new Fault(
    fault.code,
    `${fault.message} Already ${word}: ${done.join(', ') || 'nothing'}. Not ${word}, and unchanged: ${left.join(', ')}. Run the same command again once that is fixed${go}.`,
    { cause: fault },
  );
}
