import * as z from 'zod/mini';
import type { Entry, Loop } from '../../core/journal.ts';
import { foldEntry } from '../../core/journal.ts';
import type { State } from '../../core/loop.ts';
import { headWithin } from '../../core/quoting.ts';
import { troubleText } from '../../core/trouble.ts';
import type { WiggumFile } from './read.ts';

const PREVIEW_MAX = 200;
const MESSAGE_BYTES_MAX = 4000;

type Change = { readonly path: (string | number)[]; readonly value: unknown };

const Item = z.object({
  number: z.optional(z.number()),
  timestamp: z.optional(z.string()),
  type: z.optional(z.string()),
});
type Item = z.infer<typeof Item>;

type IterationItem = {
  readonly number: number;
  readonly timestamp: string;
  readonly output_preview: string;
  readonly completed: boolean;
};
type ErrorItem = {
  readonly number?: number;
  readonly timestamp: string;
  readonly iteration: number;
  readonly type: string;
  readonly message: string;
};

/** Earlier turns and failures that are missing from the file because a process died before it wrote them. */
export type PastRecords = { readonly iterations: readonly IterationItem[]; readonly errors: readonly ErrorItem[] };

export const NO_PAST: PastRecords = { iterations: [], errors: [] };

/** Can the file lack something that the journal contains? */
export function mayLackRecords({ state }: Loop, file: WiggumFile): boolean {
  if (state.counted > (file.current_iteration ?? 0) + 1) return true;
  return state.faults > 0 && !has(file.errors, ({ number }) => number === state.faults, state.startedAt);
}

/** `hash`: of the current file. If nobody edited it, it shows all entries up to the one that wrote it. */
export function pastRecords(entries: readonly Entry[], hash: string, file: WiggumFile): PastRecords {
  const written = entries.findLastIndex((entry) => entry.file?.written === hash);
  const read = entries.findIndex((entry) => entry.file?.read === hash);
  const shown = written === -1 ? read : written + 1;
  const iterations: IterationItem[] = [];
  const errors: ErrorItem[] = [];
  let loop: Loop | null = null;
  for (const [index, entry] of entries.entries()) {
    const before: Loop | null = loop;
    loop = foldEntry(loop, entry);
    if (before === null) continue;
    const { state } = loop;
    const isLater = shown !== -1 && index >= shown;
    const isCounted = entry.event.kind === 'turn-ended' && state.counted > before.state.counted;
    if (isCounted && (isLater || state.counted > (file.current_iteration ?? 0))) iterations.push(iterationItem(state));
    if (isLater && state.faults > before.state.faults) errors.push(...errorItem(state));
  }
  return { iterations, errors };
}

/** The items of `iterations` for counted turns that the file does not show yet. */
export function iterationsAfter({ state }: Loop, file: WiggumFile, past: PastRecords): readonly Change[] {
  const isNew = state.counted > (file.current_iteration ?? 0) && !past.iterations.some(isNumber(state.counted));
  const items = [...past.iterations, ...(isNew ? [iterationItem(state)] : [])];
  return appended(
    'iterations',
    file.iterations,
    // A resumed loop reuses the number of the turn that ended it, so the same turn must also have the same time.
    items.filter(({ number, timestamp }) => {
      const isIt = (item: Item): boolean => item.number === number && item.timestamp === timestamp;
      return !has(file.iterations, isIt, state.startedAt);
    }),
  );
}

/** The items of `errors` for failed turns, or for a limit that has no status of its own in the document. */
export function errorsAfter({ state }: Loop, file: WiggumFile, past: PastRecords): readonly Change[] {
  const isFailed = state.plan.rerun || isFatal(state) || isPausedByFailure(state);
  const own = limitItem(state) ?? (isFailed ? errorItem(state) : []);
  const items = [...past.errors, ...own.filter(({ number }) => !past.errors.some(isNumber(number)))];
  return appended(
    'errors',
    file.errors,
    items.filter(({ number, type }) => {
      const isIt = number === undefined ? (item: Item) => item.type === type : isNumber(number);
      return !has(file.errors, isIt, state.startedAt);
    }),
  );
}

function isNumber(number: number | undefined): (item: Item) => boolean {
  return (item) => number !== undefined && item.number === number;
}

function iterationItem(state: State): IterationItem {
  return {
    number: state.counted,
    timestamp: state.updatedAt,
    output_preview: preview(state.lastMessage),
    completed: state.status === 'completed',
  };
}

function limitItem({ outcome, counted, updatedAt }: State): readonly ErrorItem[] | undefined {
  const guard = outcome?.kind === 'halted' ? outcome.guard : null;
  if (guard === null || guard === 'iterations-max' || guard === 'agent-failed') return undefined;
  const message = guard === 'duration-max' ? 'The loop reached its timeout.' : `The loop reached a limit (${guard}).`;
  return [{ timestamp: updatedAt, iteration: counted, type: guard, message }];
}

/** For a turn that has just failed. */
function errorItem(state: State): readonly ErrorItem[] {
  if (state.faults === 0 || state.lastTrouble === null) return [];
  return [
    {
      number: state.faults,
      timestamp: state.updatedAt,
      iteration: state.counted + 1,
      type: isFatal(state) ? 'fatal' : 'transient',
      message: headWithin(troubleText(state.lastTrouble), MESSAGE_BYTES_MAX),
    },
  ];
}

function isPausedByFailure({ pause, lastTrouble }: State): boolean {
  const isTrouble = lastTrouble?.code === 'turn-failed' || lastTrouble?.code === 'usage-limit';
  return (
    isTrouble && (pause?.cause === 'usage-limit' || pause?.cause === 'failed' || pause?.request === 'context-full')
  );
}

function isFatal({ outcome }: State): boolean {
  return outcome?.kind === 'halted' && outcome.guard === 'agent-failed';
}

/** Is it in the list, and from this loop? Items of an earlier loop in the same file do not count. */
function has(list: unknown, isIt: (item: Item) => boolean, since: string): boolean {
  if (!Array.isArray(list)) return false;
  return list.some((each) => {
    const item = Item.safeParse(each);
    return item.success && isIt(item.data) && (item.data.timestamp ?? '') >= since;
  });
}

/** If the key holds something other than a list, it is left alone. */
function appended(key: string, list: unknown, items: readonly unknown[]): readonly Change[] {
  if (items.length === 0) return [];
  if (list === undefined || list === null) return [{ path: [key], value: items }];
  return Array.isArray(list) ? items.map((value, index) => ({ path: [key, list.length + index], value })) : [];
}

function preview(message: string): string {
  const text = message.trim();
  if (text.length <= PREVIEW_MAX) return text;
  // Never cut a surrogate pair in half.
  return `${text.slice(0, PREVIEW_MAX).replace(/[\uD800-\uDBFF]$/, '')}...`;
}
