import type { CutReason } from './event.ts';
import { oneLine } from './quoting.ts';

/**
 * How the last turn was cut short or failed. A code, because decisions compare it and state outlives the wording of one version; `detail` is
 * text from the agent or its host, shown and never compared.
 */
export type Trouble =
  | { readonly code: Exclude<TroubleCode, 'turn-failed'> }
  | { readonly code: 'turn-failed'; readonly detail: string };

type TroubleCode =
  | CutReason
  | 'turn-failed'
  | 'turn-aborted'
  | 'paused'
  | 'usage-limit'
  | 'driver-changed'
  | 'session-changed'
  /** A crash left the turn open: the driver or the session ended. */
  | 'driver-lost'
  | 'session-lost'
  /** Not a failure: the turn was judged while background work was still running. */
  | 'background-work';

/** For people and for the next prompt. */
export function troubleText(trouble: Trouble): string {
  return trouble.code === 'turn-failed' ? trouble.detail : TROUBLE_TEXTS[trouble.code];
}

const TROUBLE_TEXTS: Readonly<Record<Exclude<TroubleCode, 'turn-failed'>, string>> = {
  'iteration-timeout': 'it exceeded the time for one iteration',
  'idle-timeout': 'it was silent for too long',
  'duration-max': 'the time for the whole loop was used up',
  'turn-aborted': 'the user stopped it',
  paused: 'it was paused',
  'usage-limit': 'the usage limit of the agent was reached',
  'driver-changed': 'another driver took over',
  'session-changed': 'the user took the loop to another session',
  'driver-lost': 'the program that drove it ended',
  'session-lost': 'the session ended in the middle of it',
  'background-work': 'work in the background had not ended',
};

const BYTES_MAX = 1000;

const OUTLASTED =
  'You stopped while work of yours was running in the background, and it did not end. It no longer delays the loop: before you stop, wait for what you need from it, and end the rest.';

/** For the next prompt. `rerun`: the iteration runs again. */
export function troubleWords(rerun: boolean, last: Trouble | null): string {
  if (rerun) {
    return `This iteration runs again${last === null ? '.' : `: ${attemptWords(last)}`}\nSome changes of the last attempt may already be in the files: look before you repeat them.`;
  }
  if (last?.code === 'background-work') return OUTLASTED;
  return last === null ? '' : `The last turn was cut short: ${detailOf(last)}`;
}

function attemptWords(last: Trouble): string {
  return last.code === 'turn-failed'
    ? `the last attempt failed: ${detailOf(last)}`
    : detailOf(last).replace(/^it /u, 'the last attempt ');
}

/** Text of others ends as they ended it. */
function detailOf(last: Trouble): string {
  const text = oneLine(troubleText(last), BYTES_MAX);
  return last.code === 'turn-failed' ? text : `${text}.`;
}
