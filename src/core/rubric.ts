/**
 * How well a goal suits a loop, from 0 to 10, before anything is run. Each line looks for one thing that a loop needs, and reports what it
 * found and what would raise the score. It reads only English words, and judges how the goal is phrased, not how hard the work is.
 */
export type RubricLine = {
  readonly name: RubricName;
  readonly points: number;
  readonly max: number;
  /** What was found, or what is missing. */
  readonly why: string;
  /** `null` = full points. */
  readonly raise: string | null;
};

export type RubricName =
  | 'objective check'
  | 'success criteria'
  | 'bounded scope'
  | 'single outcome'
  | 'no taste'
  | 'reversible'
  | 'size';

/** `tool`: let it run. `colleague`: look in from time to time. `ask-first`: discuss the goal before a loop begins. */
export type Shape = 'tool' | 'colleague' | 'ask-first';

export type Score = {
  readonly points: number;
  readonly max: number;
  readonly shape: Shape;
  readonly lines: readonly RubricLine[];
};

/** What the user gave besides the text of the goal. */
export type GoalParts = { readonly criteria?: readonly string[]; readonly checks?: readonly string[] };

export const SCORE_MAX = 10;
export const TOOL_MIN = 8;
export const COLLEAGUE_MIN = 5;

/** The rest is not read: a goal this long states its aim at the beginning. */
const GOAL_CHARS_MAX = 64 * 1024;
const WORDS_MIN = 4;
const WORDS_MAX = 600;
const QUOTED_MAX = 60;

export function scoreGoal(goal: string, parts: GoalParts = {}): Score {
  const text = goal.slice(0, GOAL_CHARS_MAX);
  const lines = [
    objectiveCheck(text, parts),
    successCriteria(text, parts),
    boundedScope(text),
    singleOutcome(text),
    noTaste(text),
    reversible(text),
    size(text),
  ];
  const points = lines.reduce((sum, each) => sum + each.points, 0);
  return { points, max: SCORE_MAX, shape: shapeOf(points), lines };
}

export function shapeOf(points: number): Shape {
  if (points >= TOOL_MIN) return 'tool';
  return points >= COLLEAGUE_MIN ? 'colleague' : 'ask-first';
}

const COMMAND =
  /`[^`\n]{2,200}`|\b(?:npm|npx|pnpm|yarn|cargo|mvn|gradle|tox|dotnet)\s(?:run\s)?[a-z:]{2,}|\b(?:make|go) (?:test|check|build|lint|vet|all)\b|\b(?:vitest|jest|tsc|eslint|ruff|mypy|pytest)\b/iu;
const NUMBER =
  /(?:[<>≤≥=]\s*|\b(?:below|under|above|over|at least|at most|less than|more than|no more than)\s+)\d|\b\d+(?:\.\d+)?\s?(?:%|ms|kb|mb|seconds?)/iu;
const CHECK_WORD =
  /\b(?:tests?|specs?|lint(?:er|ing)?|type ?checks?|types? errors?|builds?|compiles?|coverage|ci|exit code|benchmark|snapshot|schema)\b/iu;

function objectiveCheck(text: string, { checks = [] }: GoalParts): RubricLine {
  const found = checks[0] ?? firstOf(COMMAND, text) ?? firstOf(NUMBER, text);
  if (found !== undefined) return line('objective check', 3, 3, `a machine can check it: ${found}`, null);
  const word = firstOf(CHECK_WORD, text);
  return word === undefined
    ? line(
        'objective check',
        0,
        3,
        'nothing in it can be checked by a machine',
        'name a command that must exit 0, such as `npm test`',
      )
    : line('objective check', 2, 3, `it mentions "${word}"`, 'name the command that proves it, such as `npm test`');
}

const LISTED = /^[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+\S/gmu;
const END_STATE =
  /\b(?:until|so that|done when|must|should|pass(?:es|ing)?|succeeds?|no (?:more )?(?:\w+ )?(?:errors?|warnings?|failures?)|without (?:errors?|warnings?)|green|acceptance|returns?|equals?)\b/iu;

function successCriteria(text: string, { criteria = [] }: GoalParts): RubricLine {
  const listed = criteria.length + (text.match(LISTED)?.length ?? 0);
  if (listed > 1) return line('success criteria', 2, 2, `${listed} criteria are listed`, null);
  const state = listed === 1 ? 'one listed criterion' : firstOf(END_STATE, text);
  return state === undefined
    ? line(
        'success criteria',
        0,
        2,
        'it does not say when it is done',
        'list what must be true at the end, one line each',
      )
    : line(
        'success criteria',
        1,
        2,
        `it says when it is done (${state})`,
        'list what must be true at the end, one line each',
      );
}

const PLACE =
  /(?:^|[\s`"'(])(?:[\w.@-]{1,80}\/)+[\w.*@-]*|\b[\w-]{1,80}\.(?:ts|tsx|js|jsx|mjs|cjs|py|rb|go|rs|java|kt|c|h|cpp|cs|php|swift|sql|sh|md|json|ya?ml|toml|html|css|vue|svelte)\b|\b[a-z]{1,40}[A-Z]\w*\b|\b\w{1,80}\(\)/u;
const PART =
  /\b(?:the|in|of)\s(?:[\w-]{1,40}\s){0,2}(?:module|package|class|function|component|endpoint|page|form|table|service|script|command|directory|folder|file|api)s?\b/iu;

function boundedScope(text: string): RubricLine {
  const place = firstOf(PLACE, text) ?? firstOf(PART, text);
  return place === undefined
    ? line(
        'bounded scope',
        0,
        1,
        'it names no file, folder or part',
        'name the files or the part it is about, such as src/auth/',
      )
    : line('bounded scope', 1, 1, `it is about ${place.trim()}`, null);
}

const MORE = /\b(?:and also|as well as|in addition|additionally|furthermore|while you(?:'re| are) at it|plus)\b/iu;

function singleOutcome(text: string): RubricLine {
  const more = firstOf(MORE, text);
  return more === undefined
    ? line('single outcome', 1, 1, 'it asks for one thing', null)
    : line('single outcome', 0, 1, `it asks for more than one thing ("${more}")`, 'split it: one loop, one outcome');
}

const TASTE =
  /\b(?:better|nice(?:r|ly)?|beautiful|pretty|clean(?:er)?|elegant|intuitive|user[- ]friendly|modern|appropriate|sensible|reasonable|good|great|best|improve|polish|delightful|professional|simple[r]?|readable|appealing|somehow|etc)\b/iu;

function noTaste(text: string): RubricLine {
  const word = firstOf(TASTE, text);
  return word === undefined
    ? line('no taste', 1, 1, 'nothing in it is a matter of taste', null)
    : line('no taste', 0, 1, `only a person can judge "${word}"`, `say what can be observed instead of "${word}"`);
}

const FINAL =
  /\b(?:deploy|release|publish|production|prod|drop (?:the )?(?:table|database)|delete (?:all|the) (?:data|users|records|database)|wipe|force[- ]push|send (?:an? )?(?:e-?mail|message)s?|charge|pay(?:ment)? (?:the|all)|migrate (?:the )?(?:live|production)|rm -rf|merge to main)\b/iu;

function reversible(text: string): RubricLine {
  const word = firstOf(FINAL, text);
  return word === undefined
    ? line('reversible', 1, 1, 'everything in it can be undone', null)
    : line(
        'reversible',
        0,
        1,
        `"${word}" cannot be undone`,
        `leave "${word}" to a person, or ask for approval at the finish`,
      );
}

const EVERYTHING =
  /\b(?:everything|entire (?:code ?base|project|app(?:lication)?|system)|whole (?:code ?base|project|app(?:lication)?|system)|from scratch|all (?:the )?(?:code|bugs|problems|issues)|rewrite (?:the )?(?:app|system|project))\b/iu;

function size(text: string): RubricLine {
  const words = text.split(/\s+/u).filter((word) => word !== '').length;
  const all = firstOf(EVERYTHING, text);
  if (words < WORDS_MIN)
    return line('size', 0, 1, `${words} words leave too much open`, 'say what to change, where, and how you will know');
  if (all !== undefined) return line('size', 0, 1, `"${all}" has no end`, 'begin with one part that can be finished');
  return words > WORDS_MAX
    ? line('size', 0, 1, `${words} words are too much for one loop`, 'split it, and put the background into a file')
    : line('size', 1, 1, 'it can be finished', null);
}

function firstOf(pattern: RegExp, text: string): string | undefined {
  return pattern.exec(text)?.[0].trim().slice(0, QUOTED_MAX);
}

// oxlint-disable-next-line max-params -- A row of the table above, in the order of its columns.
function line(name: RubricName, points: number, max: number, why: string, raise: string | null): RubricLine {
  return { name, points, max, why, raise };
}
