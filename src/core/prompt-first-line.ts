import type { Unmet } from './decision.ts';
import type { NearClaim } from './evidence.ts';
import type { Spec, State } from './loop.ts';
import { openFindings } from './prompt-checks.ts';
import { oneLine } from './quoting.ts';

const NAME_BYTES_MAX = 80;
const CLAIM_BYTES_MAX = 40;
const NAMES_SHOWN = 3;

/**
 * `DONE refused: "npm test" fails; continues with iteration 3 of 20.` Most hosts show the user the text that sends the agent back, so it
 * begins with the one line the user needs.
 */
export function firstLine(spec: Spec, state: State): string {
  const { iterationsMax } = state.limits;
  const most = iterationsMax === 'unlimited' ? '' : ` of ${iterationsMax}`;
  const refused = state.claimed === null ? '' : `${oneLine(state.claimed, CLAIM_BYTES_MAX)} refused: `;
  const { open, hidden } = openFindings(spec, state);
  return `${refused}${findingWords(open, hidden)}; continues with iteration ${state.counted + 1}${most}.`;
}

function findingWords(open: readonly Unmet[], hidden: boolean): string {
  const checks = open.filter((what) => what.kind === 'check');
  const [first] = checks;
  if (first !== undefined && checks.length === 1) return `${quoted(first.name)} ${ANSWER_WORDS[first.result]}`;
  if (first !== undefined) {
    const names = checks.slice(0, NAMES_SHOWN).map(({ name }) => quoted(name));
    const rest = checks.length > NAMES_SHOWN ? ', …' : '';
    return `${checks.length} checks do not pass: ${names.join(', ')}${rest}`;
  }
  if (hidden) return 'a hidden check fails';
  if (open.some((what) => what.kind === 'criterion')) return 'not every criterion is met';
  const claim = open.find((what) => what.kind === 'claim');
  if (claim === undefined || open.length > 1) return 'the work is not accepted yet';
  return claim.near === undefined ? 'the agent has not claimed to be done' : nearWords(claim.near);
}

function nearWords({ text, why }: NearClaim): string {
  const shown = oneLine(text, CLAIM_BYTES_MAX);
  return why === 'not-alone'
    ? `${shown} was found inside a sentence, not alone on a line`
    : `${shown} has no tag around it`;
}

const ANSWER_WORDS: Readonly<Record<(Unmet & { kind: 'check' })['result'], string>> = {
  failed: 'fails',
  unknown: 'gave no clear result',
  'not-run': 'was not run',
};

function quoted(name: string): string {
  return `"${oneLine(name, NAME_BYTES_MAX)}"`;
}
