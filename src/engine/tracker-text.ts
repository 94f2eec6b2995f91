import type { Criterion, Spec } from '../core/loop.ts';
import { fillTemplate } from '../core/template.ts';

/** The goal comes last and quoted: a code fence or a ticked box in it must not count as the agent's. */
const TEMPLATE = `# Tracker

Notes of the agent: what is done, what was tried, what comes next. Tick a line when it is true.

## Criteria

{{CRITERIA}}
## Notes

## Goal

{{GOAL}}
`;

/** A longer goal is cut: the prompt already contains it. */
const GOAL_CHARS_MAX = 4000;

/**
 * The text of the tracker with a line for every criterion, ticked if it is `met`. `before`: the current text, `undefined` = there is no
 * file; text from people and agents is kept. `null` = nothing is missing.
 */
export function trackerText(
  { goal, criteria }: Pick<Spec, 'goal' | 'criteria'>,
  before: string | undefined,
  met: readonly string[],
): string | null {
  const lineOf = ({ text }: Criterion): string => `- [${met.includes(text) ? 'x' : ' '}] ${text}\n`;
  if (before === undefined)
    return fillTemplate(TEMPLATE, { GOAL: quoted(goal), CRITERIA: criteria.map(lineOf).join('') });
  const missing = criteria.filter(({ text }) => !before.includes(text)).map(lineOf);
  return missing.length === 0 ? null : `${before.trimEnd()}\n\n${missing.join('')}`;
}

function quoted(goal: string): string {
  const short = goal.length > GOAL_CHARS_MAX ? `${goal.slice(0, GOAL_CHARS_MAX)}…` : goal;
  return short
    .split(/\r\n|\r|\n/)
    .map((line) => `> ${line}`)
    .join('\n');
}

/** Adds one line to the list below the heading "Notes", after the existing lines; without that heading, at the end. */
export function withNote(text: string, note: string): string {
  const line = `- ${note.replaceAll(/\s+/g, ' ').trim()}`;
  const lines = text.split('\n');
  const heading = lines.findIndex((each) => /^## Notes\s*$/.test(each));
  if (heading < 0) return `${text.trimEnd()}\n\n${line}\n`;
  const next = lines.findIndex((each, index) => index > heading && /^#{1,2} /.test(each));
  const end = next < 0 ? lines.length : next;
  const notes = lines
    .slice(heading + 1, end)
    .join('\n')
    .trim();
  return [...lines.slice(0, heading + 1), '', ...(notes === '' ? [] : [notes]), line, '', ...lines.slice(end)].join(
    '\n',
  );
}

/** The text with the open line of this criterion ticked. */
export function withTick(text: string, criterion: string): string {
  const wanted = criterion.replaceAll(/\s+/g, ' ').trim();
  return text
    .split('\n')
    .map((line) => {
      const [, before = '', rest = ''] = /^(\s*(?:[-*+]|\d{1,9}[.)])\s+)\[ \](\s+.*)$/.exec(line) ?? [];
      return rest.replaceAll(/\s+/g, ' ').trim() === wanted && wanted !== '' ? `${before}[x]${rest}` : line;
    })
    .join('\n');
}
