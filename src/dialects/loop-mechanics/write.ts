import type { Loop } from '../../core/journal.ts';
import type { Limits, State } from '../../core/loop.ts';
import { isEnded } from '../../core/loop.ts';
import { counterFor, maximumFor, numberOfLimit } from '../counting.ts';
import { descriptor } from './descriptor.ts';
import type { NewLoop } from './spec.ts';
import { newLoopText, parseSpec, scoreOf } from './spec.ts';
import { COMPLETED, COST_PARTS, IN_PROGRESS, readLoopState, roundedCost, setLoopState } from './state.ts';

/** We write only the counter, the status, the checkpoint and the cost; the last two only if the file has them. */
export function project(text: string | null, { state }: Loop): string | null {
  if (text === null) return null;
  const found = readLoopState(text);
  if (found.kind === 'invalid') return text;
  const { cost, status, lastCheckpoint } = found.state;
  const used = state.usage.costUsd;
  // No turn ended a cancelled loop, so its counter stays at the current iteration.
  const isOver = isEnded(state) && state.status !== 'cancelled';
  const iteration = Math.max(1, state.counted + (isOver ? 0 : 1));
  const next = statusOf(state, status);
  // An end is a checkpoint too, even if the counter stays the same: it changes from the current iteration to the last one.
  const isCheckpoint = state.lastTurn !== null || iteration !== found.state.iteration || next !== status;
  return setLoopState(text, {
    iteration,
    status: next,
    ...(lastCheckpoint === undefined || !isCheckpoint ? {} : { lastCheckpoint: state.updatedAt }),
    ...(cost === undefined || used === 'unknown' || used - cost < 1 / COST_PARTS ? {} : { cost: roundedCost(used) }),
  });
}

/** A paused loop is in progress: the next session announces it. A status with which the user switched it off is kept. */
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

/** Sets the limits that the document has a field for; the projection sets the status. */
export function resumed(text: string, { iterationsMax, costMaxUsd }: Partial<Limits>): string {
  return setLoopState(text, {
    ...(iterationsMax === undefined
      ? {}
      : { maxIterations: maximumFor(numberOfLimit(iterationsMax), descriptor.counting) }),
    ...(costMaxUsd === undefined ? {} : { budget: costMaxUsd === 'unlimited' ? null : costMaxUsd }),
  });
}

/** The document's Start: steps and criteria of the goal, its score and its shape, and every field of the state. */
export function newText({ spec, state }: Loop): string {
  const parsed = parseSpec(spec.goal);
  const criteria = spec.criteria.length > 0 ? spec.criteria.map(({ text }) => text) : parsed.criteria;
  const { costMaxUsd, iterationsMax } = state.limits;
  const loop: NewLoop = {
    spec: spec.goal,
    criteria,
    steps: parsed.steps,
    score: scoreOf(spec.goal, criteria),
    maxIterations: numberOfLimit(iterationsMax),
    ...(costMaxUsd === 'unlimited' ? {} : { budget: costMaxUsd }),
    startedAt: state.startedAt,
  };
  return newLoopText(loop, {
    isDone: (text) => state.status === COMPLETED || state.criteriaMet.includes(text),
    iteration: counterFor(state.counted, descriptor.counting),
    status: state.status === COMPLETED ? COMPLETED : isEnded(state) ? state.status : IN_PROGRESS,
    cost: state.usage.costUsd === 'unknown' ? null : roundedCost(state.usage.costUsd),
    lastCheckpoint: state.updatedAt,
  });
}
