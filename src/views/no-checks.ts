import type { Spec } from '../core/loop.ts';
import { oneLine } from './printable.ts';

const OFFER_CHARS_MAX = 400;

/** Can only the agent's word complete this loop? */
export function isUnproven({ checks, criteria, approveFinish, dialect }: Spec): boolean {
  return checks.length === 0 && !approveFinish && dialect === undefined && criteria.every(({ by }) => by === 'agent');
}

/** `offer`: the line that starts the same loop with these options before its other words. `null` if no tests were found. */
export function checkOffer(guessed: readonly string[], offer: (options: string) => string): string | null {
  if (guessed.length === 0) return null;
  const options = guessed.map((command) => `--check "${command}"`).join(' ');
  const line = offer(options);
  const isShown = oneLine(line, OFFER_CHARS_MAX) === line;
  return `this project seems to have ${guessed.join(', ')}. To prove it: ${isShown ? line : options}`;
}

/** Ends with that offer, or with how to add a check. */
export function noCheckLine(offered: string | null): string {
  const said = "no checks: only the agent's word ends this loop, and nothing proves it";
  return `${said}; ${offered ?? 'add a command that must pass: --check CMD'}`;
}
