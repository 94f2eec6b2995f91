import type { ClockReading } from './evidence.ts';

/** What one hook reports of something that happened in a session. `words`: its kind and its text, as one mark. */
export type Report = {
  readonly words: string;
  /** How the host names this one prompt or stop, where it does: equal is the same one, anything else is another. */
  readonly name?: string;
  /** When the process that reports it began. */
  readonly began: Moment;
};

/** `answered`: when its hook had its answer; absent = that hook is still at work. */
export type EarlierReport = Pick<Report, 'words' | 'name'> & { readonly answered?: Moment };

/** Comparable within one boot. */
export type Moment = Pick<ClockReading, 'monotonicMs' | 'boot'>;

/**
 * Is it one happening that two hooks report, of a plugin and of the settings, or of the user and of the project? A host goes on only when all hooks
 * of an event have answered: whoever began before another had its answer cannot have seen a later event, and whoever reports a later event
 * began after it. So a user who types the same again is heard, and an agent that repeats itself is counted. A host that may start its hooks one
 * after the other has to name what happened.
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
