import type { CheckResult } from '../core/evidence.ts';
import { oneLine } from '../views/printable.ts';
import type { Progress } from './display.ts';
import type { Line } from './narrate.ts';
import { isRefusal, narration } from './narrate.ts';

const NAME_CHARS_MAX = 80;
const VALUES_CHARS_MAX = 40;

/**
 * The story of any loop, made easy to follow: which tests fail and why, an empty line between iterations, and one sentence when a claim is refused.
 */
export function demoStory(): (progress: Progress) => readonly Line[] {
  let shown = '';
  const narrate = narration();
  return (progress) => {
    const lines = narrate(progress);
    if (lines.length === 0 || isInterrupted(progress)) return [];
    if (progress.kind === 'iteration-began') return [{ tone: 'plain', text: '' }, ...lines];
    if (progress.kind === 'decided') return isRefusal(progress) ? [...lines, WHY_REFUSED] : lines;
    if (progress.kind !== 'check-ended') return lines;
    if (progress.where === 'room') return lines.slice(0, 1);
    const failing = failingLines(progress.result);
    const before = shown;
    shown = failing.map((line) => line.text).join('\n');
    return [...lines.slice(0, 1), ...(shown === before ? [] : failing)];
  };
}

/** The demo ends with Ctrl-C and is never resumed, so it reports that itself. */
function isInterrupted(progress: Progress): boolean {
  return progress.kind === 'decided' && progress.decision.kind === 'pause' && progress.decision.cause === 'user';
}

const WHY_REFUSED: Line = {
  tone: 'doubtful',
  text: '    "DONE" is a claim, not proof. tireless ran the tests itself, and one of them fails: the agent continues, with that failure in its prompt.',
  hang: 4,
};

/** From the output of `node --test`: each failing test, with its actual and its expected value. */
function failingLines({ result, tail }: CheckResult): readonly Line[] {
  if (result !== 'failed') return [];
  const [, failures = ''] = tail.split(/^✖ failing tests:$/mu);
  return failures
    .split(/^✖ /mu)
    .slice(1)
    .map((block): Line => {
      const [name = ''] = block.split(/ \([\d.]+ms\)\n/u);
      const why = valuesIn(block) ?? /^ +\w*Error(?: \[\w+\])?: (.+?):?$/mu.exec(block)?.[1];
      return {
        tone: 'bad',
        text: `      ${oneLine(name, NAME_CHARS_MAX)}${why === undefined ? '' : `: ${oneLine(why, NAME_CHARS_MAX)}`}`,
        hang: 8,
      };
    });
}

/** Only short values can be compared at a glance. */
function valuesIn(block: string): string | undefined {
  const [got, expected] = ['actual', 'expected'].map((key) => new RegExp(`^ +${key}: (.+),$`, 'mu').exec(block)?.[1]);
  if (got === undefined || expected === undefined || got.length + expected.length > VALUES_CHARS_MAX) return undefined;
  return `got ${got}, expected ${expected}`;
}
