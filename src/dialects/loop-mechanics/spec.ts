import type { Score } from '../../core/rubric.ts';
import { scoreGoal } from '../../core/rubric.ts';
import { jsonText } from '../json-file.ts';
import type { LoopShape, LoopState } from './state.ts';
import { criteriaOf, IN_PROGRESS } from './state.ts';

/** A user's request, parsed as far as possible. */
export type ParsedSpec = {
  readonly spec: string;
  readonly summary: string;
  readonly criteria: readonly string[];
  readonly steps: readonly string[];
};

const SUMMARY_CHARS_MAX = 80;
const LINES_MAX = 2000;
const ITEM = /^[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+(?:\[([ xX])\][ \t]+)?(\S.*)$/u;
const NUMBERED = /^[ \t]*\d{1,3}[.)][ \t]/u;
const CRITERIA_HEAD = /\b(?:criteria|done when|acceptance|success|definition of done)\b.*:?\s*$/iu;

/**
 * Lists below a line about criteria, and checklists, are criteria. Numbered lists are steps, and so are other lists if none is numbered;
 * "a, then b" is two steps. A request that cannot be parsed is one step and one criterion: a loop without a criterion could end on a word
 * alone.
 */
export function parseSpec(request: string): ParsedSpec {
  const spec = request.trim();
  const summary = summaryOf(spec);
  const criteria: string[] = [];
  const numbered: string[] = [];
  const listed: string[] = [];
  let isCriteria = false;
  for (const line of spec.split(/\r?\n/u).slice(0, LINES_MAX)) {
    const item = ITEM.exec(line);
    if (item === null) {
      if (line.trim() !== '') isCriteria = CRITERIA_HEAD.test(line);
      continue;
    }
    const [, box, text = ''] = item;
    if (isCriteria || box !== undefined) criteria.push(text.trim());
    else (NUMBERED.test(line) ? numbered : listed).push(text.trim());
  }
  const steps = numbered.length > 0 ? numbered : listed;
  return {
    spec,
    summary,
    criteria: criteria.length > 0 ? [...new Set(criteria)] : [summary],
    steps: steps.length > 0 ? steps : stepsInSentence(summary, spec),
  };
}

function summaryOf(spec: string): string {
  const [first = ''] = spec.split(/\r?\n/u, 1);
  const line = first.replace(/^(?:#+|[-*+]\s|\d{1,3}[.)]\s)\s*/u, '').trim();
  return line.length <= SUMMARY_CHARS_MAX ? line : `${line.slice(0, SUMMARY_CHARS_MAX - 1).trimEnd()}…`;
}

function stepsInSentence(summary: string, spec: string): readonly string[] {
  const parts = spec
    .split(/[,;.]?\s+(?:and )?then\s+/iu)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const isShort = parts.every((part) => part.length <= SUMMARY_CHARS_MAX * 2 && !part.includes('\n'));
  return parts.length > 1 && isShort ? parts : [summary];
}

export type NewLoop = {
  readonly spec: string;
  readonly criteria: readonly string[];
  readonly steps: readonly string[];
  readonly score: Score;
  /** Given by the user; otherwise the score decides. */
  readonly shape?: LoopShape;
  readonly maxIterations: number;
  readonly budget?: number;
  readonly startedAt: string;
};

/** The additional fields for a loop that has already begun: a file can be written for such a loop too. */
export type BegunLoop = {
  readonly isDone: (text: string) => boolean;
  readonly iteration: number;
  readonly status: string;
  /** `null` = unknown. */
  readonly cost: number | null;
  readonly lastCheckpoint: string;
};

/** Every field of the document. Nothing has been spent at the start, so `cost` is 0; `budget` is `null` if there is none. */
export function newLoopText(loop: NewLoop, begun?: BegunLoop): string {
  const { spec, criteria, steps, score, shape = shapeOfScore(score), maxIterations, budget = null, startedAt } = loop;
  const isDone = begun?.isDone ?? (() => false);
  return jsonText({
    spec,
    criteria,
    criteriaStatus: Object.fromEntries(criteria.map((criterion) => [criterion, isDone(criterion)])),
    steps,
    completedSteps: steps.filter(isDone),
    remainingSteps: steps.filter((step) => !isDone(step)),
    iteration: begun?.iteration ?? 1,
    status: begun?.status ?? IN_PROGRESS,
    shape,
    score: score.points,
    cost: begun === undefined ? 0 : begun.cost,
    budget,
    maxIterations,
    startedAt,
    lastCheckpoint: begun?.lastCheckpoint ?? startedAt,
    errors: [],
  });
}

/** Criteria that the goal itself lists are not counted twice. */
export function scoreOf(goal: string, criteria: readonly string[]): Score {
  const inGoal = parseSpec(goal).criteria;
  return scoreGoal(goal, { criteria: criteria.filter((criterion) => !inGoal.includes(criterion)) });
}

/** The document has two shapes: a goal that is not understood yet is for a colleague. */
function shapeOfScore({ shape }: Score): LoopShape {
  return shape === 'tool' ? 'tool' : 'colleague';
}

/** The shape in the file, or the one of its score. */
export function shapeFor(state: LoopState): LoopShape {
  return state.shape ?? shapeOfScore(scoreOf(state.spec, criteriaOf(state)));
}
