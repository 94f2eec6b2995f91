import type { SessionRef } from '../core/loop.ts';
import type { Loaded } from './ports.ts';

/**
 * The user takes a loop out of its session. `activeMs`: its agent is at work there, and was active so long ago; absent or `null` = it is not.
 * `force`: they take it all the same. `again`: what they type for that.
 */
export type Taking = { readonly activeMs?: number | null; readonly force?: boolean; readonly again?: string };

/** The part of the event that tells where a loop was taken from. A loop in a foreign file speaks through that file. */
export function leaving({ spec, state }: Loaded, { activeMs = null }: Taking): Leaving {
  if (state.session === null || spec.dialect !== undefined) return {};
  return { from: state.session, ...(activeMs === null ? {} : { activeMs }) };
}

type Leaving = { readonly from?: SessionRef; readonly activeMs?: number };
