import type { SessionRef } from '../core/loop.ts';
import type { SessionSigns } from '../core/session-activity.ts';
import { activeElsewhereMs, idleMsIn } from '../core/session-activity.ts';
import type { Loaded, TurnReport } from './ports.ts';

/**
 * The user takes a loop out of its session. `activeMs`: its agent is at work there and was active this long ago; absent or `null` = it is
 * not. `force`: the user takes it anyway. `again`: what to type for that. `idleMs`: how long ago its agent was last at work; absent =
 * unknown.
 */
export type Takeover = {
  readonly activeMs?: number | null;
  readonly force?: boolean;
  readonly again?: string;
  readonly idleMs?: number;
};

/** What the session shows about a loop that is to be taken. `target`: `null` = out of every session. */
export function takeoverOf(
  loaded: Loaded,
  target: SessionRef | null,
  signs: SessionSigns,
  how: Pick<Takeover, 'force' | 'again'>,
): Takeover {
  const idleMs = idleMsIn(signs);
  return { ...how, activeMs: activeElsewhereMs(loaded, target, signs), ...(idleMs === undefined ? {} : { idleMs }) };
}

/** The part of the event that records where a loop was taken from. For a loop in a foreign file, the file counts the turn. */
export function originOfTakeover({ spec, state }: Loaded, { activeMs = null }: Takeover): TakenFrom {
  if (state.session === null) return {};
  return { from: state.session, ...(activeMs === null || spec.dialect !== undefined ? {} : { activeMs }) };
}

/** What is known about the work before the loop was taken. */
export function workBefore({ idleMs }: { readonly idleMs?: number | undefined }): Pick<TurnReport, 'idleMs'> {
  return idleMs === undefined ? {} : { idleMs: () => idleMs };
}

type TakenFrom = { readonly from?: SessionRef; readonly activeMs?: number };
