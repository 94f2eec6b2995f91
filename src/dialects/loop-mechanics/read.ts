import type { ClaimRule } from '../../core/claim.ts';
import type { FileReading } from '../../core/foreign-file.ts';
import { ITERATIONS_MAX_CEILING } from '../../core/loop.ts';
import { countedFrom, turnsAllowed } from '../counting.ts';
import { topicOf } from '../topic.ts';
import { descriptor, STATE_FILE } from './descriptor.ts';
import { TRIES } from './errors.ts';
import type { LoopState } from './state.ts';
import { COMPLETED, criteriaOf, FINISH, IN_PROGRESS, isMet, nextOf, readLoopState } from './state.ts';

/**
 * The document says "present": anywhere in the message. The strict rule of native loops would refuse `Done. <loop-complete>` at the end of
 * a sentence. A mere mention does little harm here, because it counts only if every criterion is true as well.
 */
const CLAIM: ClaimRule = {
  texts: ['<loop-complete>', '<loop-complete/>', '<loop-complete />'],
  form: 'text-anywhere',
  tag: '',
  fold: false,
};

/** The document's guard against runaway loops: this many turns in a row that the hook began and in which nothing changed. */
const STILL_TURNS_MAX = 3;

export function read(text: string): FileReading {
  const found = readLoopState(text);
  if (found.kind === 'invalid') return found;
  const { state } = found;
  const criteria = criteriaOf(state);
  const isDone = state.status === COMPLETED;
  const { cost, budget, maxIterations = descriptor.maxIterationsDefault } = state;
  return {
    kind: 'loop',
    // The document relies on the criteria, not on the status: an open criterion is work to do, whatever the status claims.
    active: state.status === IN_PROGRESS || (isDone && criteria.some((criterion) => !isMet(state, criterion))),
    ...(isDone ? { isMarkedDone: true as const, isCompleted: true as const } : {}),
    session: null,
    goal: state.spec,
    claim: CLAIM,
    criteria: criteria.map((criterion) => ({ text: criterion, by: 'agent' })),
    criteriaMet: criteria.filter((criterion) => isMet(state, criterion)),
    counted: countedFrom(state.iteration, descriptor.counting),
    agentCounts: true,
    ...(state.completedSteps.length > 0 || criteria.some((criterion) => isMet(state, criterion))
      ? { hasWork: true as const }
      : {}),
    // Without the start time: the agent maintains this file, and may rewrite it.
    identity: { topic: topicOf(state.spec), ...(state.spec === '' ? {} : { goal: state.spec }) },
    iterationsMax: Math.min(ITERATIONS_MAX_CEILING, turnsAllowed(maxIterations, descriptor.counting)),
    noProgressMax: STILL_TURNS_MAX,
    costMaxUsd: budget ?? 'unlimited',
    // Every new file has a cost of 0. While it is 0, nobody tracks the cost: unknown is not 0.
    ...(cost === undefined || cost === 0 ? {} : { costUsd: cost }),
    triesMax: TRIES,
    progress: JSON.stringify(state.completedSteps),
    next: nextOf(state),
    continuation: continuationOf(state),
  };
}

/** The tag is named only when nothing else is missing, so that an echo of these lines is not a false claim. */
function continuationOf(state: LoopState): string {
  const isOpen = criteriaOf(state).some((criterion) => !isMet(state, criterion));
  // Only our own placeholders are filled in; those in the text of a step are plain text.
  const next = nextOf(state).replaceAll('{{', '{ {');
  const cost =
    state.budget === undefined || (state.cost ?? 0) > 0
      ? ''
      : `\nKeep "cost" in ${STATE_FILE} up to date: what the work has cost so far, in US dollars. Without it, the loop pauses.`;
  return isOpen
    ? `unmet: {{UNMET}}\nNext: ${next}\nVerify each criterion, and set it to true in criteriaStatus of ${STATE_FILE} only when it is met.${cost}`
    : `next: ${next}${next === FINISH ? '' : `. When it is done, ${FINISH}`}${cost}`;
}
