import { Fault } from '../core/fault.ts';
import type { Loaded, Store } from '../engine/ports.ts';
import { oneLine } from '../views/printable.ts';

const SHOWN_MAX = 10;
const GOAL_CHARS_MAX = 60;
/** Ids are ours; anything else is a typo, and never becomes a path. */
const ID_BEGINNING = /^[a-z0-9-]{1,64}$/;
const WHOLE_ID = /^\d{6}-\d{4}-[a-z0-9]{6}$/;

export type Wanted = {
  readonly given: string | undefined;
  readonly cwd: string;
  /** Which loops the command makes sense for, and how to call them. */
  readonly fits: (loaded: Loaded) => boolean;
  readonly kind: string;
};

/** The loop a command means: a full id, the beginning of one, or the only one that fits, here first and then anywhere. */
export function pickLoop(store: Pick<Store, 'load' | 'list'>, wanted: Wanted): Loaded {
  const { given } = wanted;
  return given === undefined ? onlyFitting(store, wanted) : byBeginning(store, given);
}

/**
 * Is there a loop that this word could name? For commands where a word may also be text. A whole id is never text, also when
 * that loop cannot be read: what was said to it would go to another.
 */
export function namesLoop(store: Pick<Store, 'load' | 'list'>, word: string): boolean {
  if (WHOLE_ID.test(word)) return true;
  return ID_BEGINNING.test(word) && store.list({ ended: 'both' }).some(({ state }) => state.loop.startsWith(word));
}

function byBeginning(store: Pick<Store, 'load' | 'list'>, given: string): Loaded {
  if (!ID_BEGINNING.test(given)) throw notFound(given);
  const exact = store.load(given);
  if (exact !== undefined) return exact;
  const found = store.list({ ended: 'both' }).filter(({ state }) => state.loop.startsWith(given));
  const [first] = found;
  if (first === undefined) throw notFound(given);
  if (found.length > 1) throw ambiguous(`"${given}" is the beginning of ${found.length} loops`, found);
  return first;
}

function onlyFitting(store: Pick<Store, 'list'>, { cwd, fits, kind }: Wanted): Loaded {
  const all = store.list({ ended: 'both' }).filter(fits);
  const here = all.filter(({ state }) => state.cwd === cwd);
  const candidates = here.length > 0 ? here : all;
  const [first] = candidates;
  if (first === undefined)
    throw new Fault(
      'LOOP_NOT_FOUND',
      `There is no ${kind} loop. "tireless list" shows every loop, and "tireless run" starts one.`,
    );
  if (candidates.length > 1) throw ambiguous(`${candidates.length} ${kind} loops fit`, candidates);
  return first;
}

function notFound(given: string): Fault {
  return new Fault(
    'LOOP_NOT_FOUND',
    `There is no loop "${oneLine(given, GOAL_CHARS_MAX)}". "tireless list" shows every loop; another TIRELESS_HOME has other loops.`,
  );
}

function ambiguous(why: string, found: readonly Loaded[]): Fault {
  const newest = found.toSorted((a, b) => (a.state.updatedAt < b.state.updatedAt ? 1 : -1)).slice(0, SHOWN_MAX);
  const rows = newest.map(
    ({ spec, state }) => `  ${state.loop}  ${state.status.padEnd(9)}  ${oneLine(spec.goal, GOAL_CHARS_MAX)}`,
  );
  const more = found.length > newest.length ? [`  and ${found.length - newest.length} more: "tireless list"`] : [];
  return new Fault('LOOP_AMBIGUOUS', [`${why}, and none was named. Name one:`, ...rows, ...more].join('\n'));
}
