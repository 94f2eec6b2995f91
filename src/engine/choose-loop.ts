import type { Loaded, Store } from './ports.ts';

/** Ids are ours; anything else is a typo, and never becomes a path. */
const ID_BEGINNING = /^[a-z0-9-]{1,64}$/;
const WHOLE_ID = /^\d{6}-\d{4}-[a-z0-9]{6}$/;

type LoopStore = Pick<Store, 'load' | 'list'>;

export type LoopQuery = {
  /** An id, or the beginning of one; `undefined` = none was named. */
  readonly given: string | undefined;
  readonly cwd: string;
  /** The loops that make sense when none was named. */
  readonly fits: (loaded: Loaded) => boolean;
};

export type LoopChoice =
  | { readonly kind: 'chosen'; readonly loaded: Loaded }
  | { readonly kind: 'none-fits' }
  | { readonly kind: 'not-found'; readonly given: string }
  /** `given`: the beginning that several ids share; `null` = several fit, and none was named. */
  | { readonly kind: 'ambiguous'; readonly given: string | null; readonly candidates: readonly Loaded[] };

/** The loop that is meant: a full id, the beginning of one, or the only one that fits, here first and then anywhere. */
export function chooseLoop(store: LoopStore, query: LoopQuery): LoopChoice {
  const { given } = query;
  return given === undefined ? onlyFitting(store, query) : byBeginning(store, given);
}

/**
 * Is there a loop that this word could name? For commands where a word may also be text. A whole id is never text, also when
 * that loop cannot be read: the text would go to another loop.
 */
export function namesLoop(store: LoopStore, word: string): boolean {
  if (WHOLE_ID.test(word)) return true;
  return ID_BEGINNING.test(word) && store.list({ ended: 'both' }).some(({ state }) => state.loop.startsWith(word));
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

function onlyFitting(store: LoopStore, { cwd, fits }: LoopQuery): LoopChoice {
  const all = store.list({ ended: 'both' }).filter(fits);
  const here = all.filter(({ state }) => state.cwd === cwd);
  const candidates = here.length > 0 ? here : all;
  const [first] = candidates;
  if (first === undefined) return { kind: 'none-fits' };
  return candidates.length > 1 ? { kind: 'ambiguous', given: null, candidates } : { kind: 'chosen', loaded: first };
}
