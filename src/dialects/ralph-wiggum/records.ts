import * as z from 'zod/mini';
import type { Loop } from '../../core/journal.ts';
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

/** One item more in `iterations` when a turn was counted that the file does not show yet. */
export function iterationsAfter({ state }: Loop, file: WiggumFile): readonly Change[] {
  const isNew = state.counted > (file.current_iteration ?? 0);
  if (!isNew || has(file.iterations, ({ number }) => number === state.counted, state.startedAt)) return [];
  return appended('iterations', file.iterations, {
    number: state.counted,
    timestamp: state.updatedAt,
    output_preview: preview(state.lastMessage),
    completed: state.status === 'completed',
  });
}

/** One item more in `errors` for a failed turn, or for a limit of which the document's statuses do not tell. */
export function errorsAfter({ state }: Loop, file: WiggumFile): readonly Change[] {
  const { outcome } = state;
  const guard = outcome?.kind === 'halted' ? outcome.guard : null;
  const iteration = state.counted + 1;
  if (guard !== null && guard !== 'iterations-max' && guard !== 'agent-failed') {
    if (has(file.errors, ({ type }) => type === guard, state.startedAt)) return [];
    const message = `The loop was stopped by its limit: ${guard}.`;
    return appended('errors', file.errors, {
      timestamp: state.updatedAt,
      iteration: state.counted,
      type: guard,
      message,
    });
  }
  if (state.faults === 0 || state.lastTrouble === null || (!state.plan.rerun && guard === null)) return [];
  if (has(file.errors, ({ number }) => number === state.faults, state.startedAt)) return [];
  return appended('errors', file.errors, {
    number: state.faults,
    timestamp: state.updatedAt,
    iteration,
    type: guard === 'agent-failed' ? 'fatal' : 'transient',
    message: headWithin(troubleText(state.lastTrouble), MESSAGE_BYTES_MAX),
  });
}

/** Is it there since this loop began? Items of an earlier loop in the same file do not count. */
function has(list: unknown, isIt: (item: Item) => boolean, since: string): boolean {
  if (!Array.isArray(list)) return false;
  return list.some((each) => {
    const item = Item.safeParse(each);
    return item.success && isIt(item.data) && (item.data.timestamp ?? '') >= since;
  });
}

/** Something else under that key is left as it is. */
function appended(key: string, list: unknown, item: unknown): readonly Change[] {
  if (list === undefined || list === null) return [{ path: [key], value: [item] }];
  return Array.isArray(list) ? [{ path: [key, list.length], value: item }] : [];
}

function preview(message: string): string {
  const text = message.trim();
  if (text.length <= PREVIEW_MAX) return text;
  // Not between the halves of one character.
  return `${text.slice(0, PREVIEW_MAX).replace(/[\uD800-\uDBFF]$/, '')}...`;
}
