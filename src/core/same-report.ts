import type { ClockReading } from './evidence.ts';

/** What one hook reports about something that happened in a session. `words`: its kind and its text, as one mark. */
export type Report = {
  readonly words: string;
  /** The host's name for this one prompt or stop, if it has one: equal names are the same one, different names are different ones. */
  readonly name?: string;
  /** When the reporting process began. */
  readonly began: Moment;
};

/** `answered`: when its hook got its answer; absent = that hook is still running. */
export type EarlierReport = Pick<Report, 'words' | 'name'> & { readonly answered?: Moment };

/** Comparable within one boot. */
export type Moment = Pick<ClockReading, 'monotonicMs' | 'boot'>;

/**
 * Do two hooks (of a plugin and of the settings, or of the user and of the project) report the same thing? A host continues only when all hooks of
 * an event have answered: a hook that began before another got its answer cannot have seen a later event, and a hook that reports a later event
 * began after it. So a user who types the same thing again is heard, and an agent that repeats itself is counted. A host that may start its hooks
 * one after the other has to name what happened.
 */
export function isSameHappening(earlier: EarlierReport, later: Report): boolean {
  if (earlier.name !== undefined && later.name !== undefined)
    return earlier.name === later.name && earlier.words === later.words;
  if (earlier.words !== later.words) return false;
  const { answered } = earlier;
  return (
    answered === undefined || (answered.boot === later.began.boot && later.began.monotonicMs <= answered.monotonicMs)
  );
}
