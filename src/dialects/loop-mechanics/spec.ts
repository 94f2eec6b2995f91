import type { Shape } from '../../core/rubric.ts';
import { jsonText } from '../json-file.ts';
import type { LoopShape, LoopState } from './state.ts';
import { IN_PROGRESS } from './state.ts';

/** A user's request, taken apart as far as it can be. */
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
 * Lists under a line about criteria, and lists of boxes, are criteria; numbered lists are steps, and other lists where there is no
 * numbered one; "a, then b" are two steps. What cannot be taken apart is one step and one criterion: a loop without a criterion could end on a word alone.
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

export type NewLoop = ParsedSpec & {
  readonly shape: LoopShape;
  readonly maxIterations: number;
  readonly budget?: number;
  readonly startedAt: string;
};

/** The state a loop is born with. `cost` is left out until somebody knows it: unknown is not 0. */
function newLoopState(loop: NewLoop): LoopState {
  const { spec, criteria, steps, shape, maxIterations, budget, startedAt } = loop;
  return {
    spec,
    criteria,
    criteriaStatus: Object.fromEntries(criteria.map((criterion) => [criterion, false])),
    steps,
    completedSteps: [],
    remainingSteps: steps,
    iteration: 1,
    status: IN_PROGRESS,
    shape,
    ...(budget === undefined ? {} : { budget }),
    maxIterations,
    startedAt,
    lastCheckpoint: startedAt,
    errors: [],
  };
}

export function newLoopText(loop: NewLoop): string {
  return jsonText(newLoopState(loop));
}

/** `null`: ask first. */
export function loopShapeOf(shape: Shape): LoopShape | null {
  return shape === 'ask-first' ? null : shape;
}
