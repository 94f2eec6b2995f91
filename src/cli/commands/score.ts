import type { RubricLine, Score, Shape } from '../../core/rubric.ts';
import { scoreGoal } from '../../core/rubric.ts';
import type { Command } from '../command.ts';
import { command } from '../command.ts';
import type { Flag } from '../flags.ts';
import { text, texts, toggle } from '../flags.ts';
import { goalFrom } from '../goal.ts';
import { PLAIN_EXIT_CODES } from '../help-page.ts';
import { say, sayJson } from '../io.ts';

const NAME_COLUMNS = 18;

const FLAGS: {
  readonly check: Flag<readonly string[]>;
  readonly criterion: Flag<readonly string[]>;
  readonly 'goal-file': Flag<string | undefined>;
  readonly json: Flag<boolean>;
} = {
  check: texts('CMD', 'a check you will give it; repeatable'),
  criterion: texts('TEXT', 'a criterion you will give it; repeatable'),
  'goal-file': text('FILE', 'read the goal from a file'),
  json: toggle('print {"points":…,"shape":…,"lines":[…]} for scripts'),
};

export const score: Command = command({
  page: {
    name: 'score',
    synopsis: ['tireless score GOAL [--check CMD] [--criterion TEXT] [--json]'],
    about: [
      'How well a goal suits a loop, from 0 to 10, line by line: what was found, and how to improve it. It only reads the wording',
      '(in English); it runs nothing and calls no model.',
    ],
    flags: { Options: FLAGS },
    examples: [
      'tireless score "make npm test pass in src/auth"',
      'tireless score "refactor the parser" --check "npm test"',
    ],
    notes: ['8 to 10: tool · 5 to 7: colleague · below 5: ask first', '', ...PLAIN_EXIT_CODES],
  },
  flags: FLAGS,
  run: async ({ words, values }, { stdin, stdout }) => {
    const goal = await goalFrom({ words, file: values['goal-file'], stdin });
    const result = scoreGoal(goal, { checks: values.check, criteria: values.criterion });
    if (values.json) sayJson(stdout, result);
    else say(stdout, ...scoreText(result));
    return 0;
  },
});

export function scoreText({ points, max, shape, lines }: Score): readonly string[] {
  return [...lines.flatMap(lineText), '', scoreLine({ points, max, shape })];
}

export function scoreLine({ points, max, shape }: Omit<Score, 'lines'>): string {
  return `${points} of ${max}: ${SHAPES[shape]}`;
}

function lineText({ name, points, max, why, raise }: RubricLine): readonly string[] {
  const head = `${points}/${max}  ${name.padEnd(NAME_COLUMNS)}`;
  return [`${head}${why}`, ...(raise === null ? [] : [`${' '.repeat(head.length)}to raise it: ${raise}`])];
}

const SHAPES: Readonly<Record<Shape, string>> = {
  tool: 'a goal for a tool; let the loop run',
  colleague: 'a goal for a colleague; check on it now and then, and approve the finish',
  'ask-first': 'ask first; a loop on this goal would not know when to stop',
};
