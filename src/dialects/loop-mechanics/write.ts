import type { Loop } from '../../core/journal.ts';
import type { State } from '../../core/loop.ts';
import { isEnded } from '../../core/loop.ts';
import { counterFor, numberOfLimit } from '../counting.ts';
import { jsonText } from '../json-file.ts';
import { descriptor } from './descriptor.ts';
import { COMPLETED, COST_PARTS, IN_PROGRESS, readLoopState, roundedCost, setLoopState } from './state.ts';

/** Only the counter, the status, the checkpoint and the cost are ours to write; the last two only where the file has them. */
export function project(text: string | null, { state }: Loop): string | null {
  if (text === null) return null;
  const found = readLoopState(text);
  if (found.kind === 'invalid') return text;
  const { cost, status, lastCheckpoint } = found.state;
  const used = state.usage.costUsd;
  const iteration = Math.max(1, state.counted + (isEnded(state) ? 0 : 1));
  const isCheckpoint = state.lastTurn !== null || iteration !== found.state.iteration;
  return setLoopState(text, {
    iteration,
    status: statusOf(state, status),
    ...(lastCheckpoint === undefined || !isCheckpoint ? {} : { lastCheckpoint: state.updatedAt }),
    ...(cost === undefined || used === 'unknown' || used - cost < 1 / COST_PARTS ? {} : { cost: roundedCost(used) }),
  });
}

/** A paused loop is in progress: the next session announces it. How the user switched it off stays as they wrote it. */
function statusOf({ status }: State, now: string): string {
  switch (status) {
    case 'pending':
    case 'running':
    case 'paused':
      return IN_PROGRESS;
    case 'completed':
      return COMPLETED;
    case 'halted':
      return 'halted';
    case 'cancelled':
      return now === IN_PROGRESS ? 'cancelled' : now;
  }
}

/** Without criteria the goal is the one criterion: the document ends no loop without. */
export function newText({ spec, state }: Loop): string {
  const criteria = spec.criteria.length > 0 ? spec.criteria.map(({ text }) => text) : [spec.goal.trim()];
  const isDone = (text: string): boolean => state.status === COMPLETED || state.criteriaMet.includes(text);
  return jsonText({
    spec: spec.goal,
    criteria,
    criteriaStatus: Object.fromEntries(criteria.map((text) => [text, isDone(text)])),
    steps: criteria,
    completedSteps: criteria.filter(isDone),
    remainingSteps: criteria.filter((text) => !isDone(text)),
    iteration: counterFor(state.counted, descriptor.counting),
    maxIterations: numberOfLimit(state.limits.iterationsMax),
    status: state.status === COMPLETED ? COMPLETED : isEnded(state) ? state.status : IN_PROGRESS,
    startedAt: state.startedAt,
  });
}
