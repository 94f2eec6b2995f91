import type { ClockReading } from './evidence.ts';

/** A hook's report about an event in a session. `words`: its kind and text, as one mark. */
export type Report = {
  readonly words: string;
  /** The host's name for this prompt or stop, if it has one: the same name means the same event, a different name another one. */
  readonly name?: string;
  /** When the reporting process began. */
  readonly began: Moment;
};

/** `answered`: when its hook got its reply; absent = that hook is still running. */
export type EarlierReport = Pick<Report, 'words' | 'name'> & { readonly answered?: Moment };

/** Comparable within one boot. */
export type Moment = Pick<ClockReading, 'monotonicMs' | 'boot'>;

/**
 * Do two hooks (of a plugin and the settings, or of the user and the project) report the same event? A host continues only after all hooks
 * of an event have replied. So a hook that began before the other got its reply cannot report a later event, and a hook for a later event
 * begins after it. A user who types the same thing again is heard, and an agent that repeats itself is counted. A host that may start its
 * hooks one by one has to name its events.
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
