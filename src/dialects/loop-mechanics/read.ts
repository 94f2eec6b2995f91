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
 * "Present", as the document says: anywhere in the message. The strict rule of native loops would refuse `Done. <loop-complete>` at
 * the end of a sentence; a mere mention costs little here, because it counts only when every criterion is true as well.
 */
const CLAIM: ClaimRule = {
  texts: ['<loop-complete>', '<loop-complete/>', '<loop-complete />'],
  form: 'text-anywhere',
  tag: '',
  fold: false,
};

/** The document's guard against running away: so many turns in a row that the hook began and in which nothing moved. */
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
    // The document asks the criteria, and not the status: one that is open is work to do, whatever the status claims.
    active: state.status === IN_PROGRESS || (isDone && criteria.some((criterion) => !isMet(state, criterion))),
    ...(isDone ? { saysDone: true as const } : {}),
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
    // Not the start time: the agent keeps this file, and may write that anew.
    identity: { topic: topicOf(state.spec), ...(state.spec === '' ? {} : { goal: state.spec }) },
    iterationsMax: Math.min(ITERATIONS_MAX_CEILING, turnsAllowed(maxIterations, descriptor.counting)),
    noProgressMax: STILL_TURNS_MAX,
    costMaxUsd: budget ?? 'unlimited',
    // Every new file has a cost of 0. As long as it is 0, nobody keeps the account: unknown is not 0.
    ...(cost === undefined || cost === 0 ? {} : { costUsd: cost }),
    triesMax: TRIES,
    progress: JSON.stringify(state.completedSteps),
    next: nextOf(state),
    continuation: continuationOf(state),
  };
}

/** The tag is named only once nothing but it is missing: an echo of these lines is then no false claim. */
function continuationOf(state: LoopState): string {
  const isOpen = criteriaOf(state).some((criterion) => !isMet(state, criterion));
  // Placeholders are ours; in the words of a step they are text.
  const next = nextOf(state).replaceAll('{{', '{ {');
  return isOpen
    ? `unmet: {{UNMET}}\nNext: ${next}\nVerify each criterion, and set it to true in criteriaStatus of ${STATE_FILE} only when it holds.`
    : `next: ${next}${next === FINISH ? '' : `. When it is done, ${FINISH}`}`;
}
