import type { SessionRef } from '../core/loop.ts';
import type { Loaded } from './ports.ts';

/**
 * The user takes a loop out of its session. `activeMs`: its agent is at work there and was active this long ago; absent or `null` = it is not.
 * `force`: the user takes it anyway. `again`: what to type for that.
 */
export type Taking = { readonly activeMs?: number | null; readonly force?: boolean; readonly again?: string };

/** The part of the event that says where a loop was taken from. Empty for a loop in a foreign file: the file says it. */
export function leaving({ spec, state }: Loaded, { activeMs = null }: Taking): Leaving {
  if (state.session === null || spec.dialect !== undefined) return {};
  return { from: state.session, ...(activeMs === null ? {} : { activeMs }) };
}

type Leaving = { readonly from?: SessionRef; readonly activeMs?: number };
