import type { Loaded, Store } from './ports.ts';

/** tireless creates the ids, so anything else is a typo and never becomes a path. */
const ID_BEGINNING = /^[a-z0-9-]{1,64}$/;
/** The newest loop of this project that started, whatever its status. */
const LAST = 'last';
const WHOLE_ID = /^\d{6}-\d{4}-[a-z0-9]{6}$/;

type LoopStore = Pick<Store, 'load' | 'list'>;

export type LoopQuery = {
  /** An id, the beginning of one, or `last`; `undefined` = none was named. */
  readonly given: string | undefined;
  /** Does this directory belong to the same project? Unless a loop is named, loops of other projects are never considered. */
  readonly isHere: (directory: string) => boolean;
  /** The loops to consider if none is named. */
  readonly fits: (loaded: Loaded) => boolean;
};

export type LoopChoice =
  | { readonly kind: 'chosen'; readonly loaded: Loaded }
  | { readonly kind: 'none-fits' }
  | { readonly kind: 'not-found'; readonly given: string }
  /** `given`: a prefix that several ids share. */
  | { readonly kind: 'ambiguous'; readonly given: string; readonly candidates: readonly Loaded[] };

/** The loop that was meant: a full id, a prefix of one, the `last` of this project, or its newest loop that fits. */
export function chooseLoop(store: LoopStore, query: LoopQuery): LoopChoice {
  const { given } = query;
  if (given === LAST) return newestFitting(store, { ...query, fits: () => true });
  return given === undefined ? newestFitting(store, query) : byBeginning(store, given);
}

/**
 * Could this word name a loop? For commands where a word may also be text. A complete id is never text, even if its loop cannot be
 * read: otherwise the text would go to another loop.
 */
export function namesLoop(store: LoopStore, word: string): boolean {
  if (WHOLE_ID.test(word) || word === LAST) return true;
  return ID_BEGINNING.test(word) && store.list({ ended: 'both' }).some(({ state }) => state.loop.startsWith(word));
}

/** Does an unknown word look like the name of a loop? */
export function looksLikeLoop(word: string): boolean {
  return ID_BEGINNING.test(word);
}

function byBeginning(store: LoopStore, given: string): LoopChoice {
  if (!ID_BEGINNING.test(given)) return { kind: 'not-found', given };
  const exact = store.load(given);
  if (exact !== undefined) return { kind: 'chosen', loaded: exact };
  const found = store.list({ ended: 'both' }).filter(({ state }) => state.loop.startsWith(given));
  const [first] = found;
  if (first === undefined) return { kind: 'not-found', given };
  return found.length > 1 ? { kind: 'ambiguous', given, candidates: found } : { kind: 'chosen', loaded: first };
}

/** A start that was refused hides no loop that ran. */
function newestFitting(store: LoopStore, { isHere, fits }: LoopQuery): LoopChoice {
  const fitting = store
    .list({ ended: 'both' })
    .filter((loaded) => isHere(loaded.state.cwd) && fits(loaded))
    .toSorted((a, b) => (a.state.startedAt < b.state.startedAt ? -1 : 1));
  const newest = fitting.findLast((loaded) => !isNeverStarted(loaded)) ?? fitting.at(-1);
  return newest === undefined ? { kind: 'none-fits' } : { kind: 'chosen', loaded: newest };
}

function isNeverStarted({ state: { outcome } }: Loaded): boolean {
  return outcome?.kind === 'cancelled' && outcome.because === 'start-failed';
}
