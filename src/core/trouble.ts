import type { Cut } from './event.ts';

/**
 * How the last turn was cut short or failed. A code, because decisions compare it and state outlives the wording of one version; `detail` is
 * text from the agent or its host, shown and never compared.
 */
export type Trouble =
  | { readonly code: Exclude<TroubleCode, 'turn-failed'> }
  | { readonly code: 'turn-failed'; readonly detail: string };

type TroubleCode =
  | Cut
  | 'turn-failed'
  | 'turn-aborted'
  | 'paused'
  | 'usage-limit'
  | 'driver-changed'
  | 'session-changed'
  /** A crash left the turn open: the driver or the session ended. */
  | 'driver-lost'
  | 'session-lost'
  /** Not a failure: the turn was judged while work in the background was not done. */
  | 'background-work';

/** Of a turn that ended. `outlasted`: work in the background had not. */
export function troubleOfTurn(cut: Cut | undefined, outlasted: boolean): Trouble | null {
  if (cut !== undefined) return { code: cut };
  return outlasted ? { code: 'background-work' } : null;
}

/** For people and for the next prompt. */
export function troubleText(trouble: Trouble): string {
  return trouble.code === 'turn-failed' ? trouble.detail : TROUBLE_TEXTS[trouble.code];
}

const TROUBLE_TEXTS: Readonly<Record<Exclude<TroubleCode, 'turn-failed'>, string>> = {
  'iteration-timeout': 'it exceeded the time for one iteration.',
  'idle-timeout': 'it was silent for too long.',
  'duration-max': 'the time for the whole loop was used up.',
  'turn-aborted': 'the user stopped it',
  paused: 'it was paused',
  'usage-limit': 'the usage limit of the agent was reached',
  'driver-changed': 'another driver took over',
  'session-changed': 'the user took the loop to another session',
  'driver-lost': 'the program that drove it ended',
  'session-lost': 'the session ended in the middle of it',
  'background-work': 'work in the background was not done',
};
