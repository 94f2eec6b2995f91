import { isPlainId } from '../core/shell-word.ts';
import type { FileOffer } from '../core/foreign-file.ts';
import { oneLine } from './printable.ts';

const CHARS_MAX = 120;
const PLAIN_PATH = /^[\w./-]+$/u;

/** Why an active state file does nothing here, and what to do, in one line. `session`: the one that reads it. */
export function fileOfferLine({ kind, file, owner, hasEnded, loop, paused }: FileOffer, session: string): string {
  const what = oneLine(file, CHARS_MAX);
  const who = oneLine(owner, CHARS_MAX);
  const take = `tireless resume ${loop ?? (PLAIN_PATH.test(file) ? file : 'FILE')} --session ${isPlainId(session) ? session : 'ID'}`;
  const state = hasEnded === true ? 'has ended' : 'is silent';
  switch (kind) {
    case 'free':
      return `the session ${who} of the loop in ${what} ${state}, so the loop continues in this session at the next stop; end it: tireless cancel ${loop ?? ''}`;
    case 'silent':
      return `the loop in ${what} belongs to the session ${who}, which ${state}; continue it here: ${take}`;
    case 'driven':
      if (paused === true)
        return `the loop in ${what} belongs to another session (${who}) and is paused, so this one is left alone; take it over: ${take}`;
      return `another session (${who}) drives the loop in ${what}, so this one is left alone; take it over: ${take}`;
    case 'rewritten':
      return `${what} was written again, but its loop belongs to another session (${who}), so this one is left alone; if it is a new loop, start it here: ${take}`;
    case 'named':
      return `${what} waits for a stop of the session ${who}, so this one is left alone; start its loop here: ${take}`;
  }
}
