import type { Spec } from '../core/loop.ts';
import { oneLine } from './printable.ts';

const OFFER_CHARS_MAX = 400;

/** Can only the agent's word complete this loop? */
export function isUnproven({ checks, criteria, approveFinish, dialect }: Spec): boolean {
  return checks.length === 0 && !approveFinish && dialect === undefined && criteria.every(({ by }) => by === 'agent');
}

/** `offer`: makes the command line that starts the same loop with these options. `null` if no tests were found. */
export function checkOffer(guessed: readonly string[], offer: (options: string) => string): string | null {
  if (guessed.length === 0) return null;
  const options = guessed.map((command) => `--check "${command}"`).join(' ');
  const line = offer(options);
  const isShown = oneLine(line, OFFER_CHARS_MAX) === line;
  return `this project seems to have ${guessed.join(', ')}. To prove it: ${isShown ? line : options}`;
}

/** Ends with that offer, or with advice on how to add a check. */
export function noCheckLine(offered: string | null): string {
  const warning = 'no checks: this loop ends when the agent says so; nothing is proven';
  return `${warning}; ${offered ?? 'add a command that must pass: --check CMD'}`;
}
