import type { NearClaim } from './evidence.ts';
import type { Spec } from './loop.ts';
import { codeSpan, oneLine } from './quoting.ts';

/** The agent may have only talked about the claim. */
export function nearText({ text, why }: NearClaim, { tag }: Spec['claim']): string {
  const whole = codeSpan(`<${tag}>${oneLine(text, Infinity)}</${tag}>`, Infinity);
  const found = why === 'not-alone' ? `${whole} was found inside a sentence` : `Your last line has no \`<${tag}>\` tag`;
  return `${found}, so it does not count as your claim. If the whole goal is met, end your reply with ${whole} alone on a line, without the backticks.`;
}
