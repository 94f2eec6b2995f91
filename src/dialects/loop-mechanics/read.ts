import type { ClaimRule } from '../../core/claim.ts';
import type { Decision, Unmet } from '../../core/decision.ts';
import type { FileReading } from '../../core/foreign-file.ts';
import type { Loop } from '../../core/journal.ts';
import type { State } from '../../core/loop.ts';
import { DEFAULT_LIMITS, isEnded, ITERATIONS_MAX_CEILING } from '../../core/loop.ts';
import { promptOf } from '../../core/prompt.ts';
import type { Counting } from '../counting.ts';
import { countedFrom, turnsAllowed } from '../counting.ts';
import type { Answer, Dialect, Words } from '../dialect.ts';
import { TRIES } from './errors.ts';
import type { LoopState } from './state.ts';
import {
  COMPLETED,
  COST_PARTS,
  criteriaOf,
  FINISH,
  IN_PROGRESS,
  isMet,
  nextOf,
  readLoopState,
  roundedCost,
  setLoopState,
  STATE_FILE,
} from './state.ts';

/** The counter shows the iteration that is under way: 2 while one step of two is done. */
const COUNTING: Counting = { start: 1, addsFirst: false };

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

export const loopMechanics: Dialect = {
  name: 'loop-mechanics',
  read,
  project,
  filesFor: () => [STATE_FILE],
  wordsFor,
  replyForm: 'ok',
};

function read(text: string): FileReading {
  const found = readLoopState(text);
  if (found.kind === 'invalid') return found;
  const { state } = found;
  const criteria = criteriaOf(state);
  const { cost, budget, maxIterations = Number(DEFAULT_LIMITS.iterationsMax) } = state;
  return {
    kind: 'loop',
    active: state.status === IN_PROGRESS,
    ...(state.status === COMPLETED ? { saysDone: true as const } : {}),
    session: null,
    goal: state.spec,
    claim: CLAIM,
    criteria: criteria.map((criterion) => ({ text: criterion, by: 'agent' })),
    criteriaMet: criteria.filter((criterion) => isMet(state, criterion)),
    counted: countedFrom(state.iteration, COUNTING),
    agentCounts: true,
    iterationsMax: Math.min(ITERATIONS_MAX_CEILING, turnsAllowed(maxIterations, COUNTING)),
    noProgressMax: STILL_TURNS_MAX,
    costMaxUsd: budget ?? 'unlimited',
    ...(cost === undefined ? {} : { costUsd: cost }),
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

/** Only the counter, the status, the checkpoint and the cost are ours to write; the last two only where the file has them. */
function project(text: string | null, { state }: Loop): string | null {
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

function wordsFor({ decision, loop, reading }: Answer): Words {
  if (decision.kind !== 'continue' || loop === null)
    return { goesOn: false, text: '', reason: reasonOf(decision, reading) };
  const open = decision.unmet.flatMap(openWords);
  const next = reading?.kind === 'loop' ? reading.next : undefined;
  const reason = open.length > 0 ? `unmet: ${open.join(', ')}` : `next: ${next ?? FINISH}`;
  return { goesOn: true, text: promptOf(loop.spec, loop.state), reason };
}

function openWords(unmet: Unmet): readonly string[] {
  switch (unmet.kind) {
    case 'criterion':
      return [unmet.text];
    case 'check':
      return [unmet.holdout === true ? 'a check that is not shown' : `the check ${unmet.name}`];
    case 'approval':
      return [`the approval ${unmet.request}`];
    case 'forbidden':
      return [unmet.what];
    case 'claim':
      return [];
  }
}

/** Why the agent may stop. Only a completed loop is called complete. */
function reasonOf(decision: Decision, reading: FileReading | null): string {
  switch (decision.kind) {
    case 'complete':
      return 'complete';
    case 'halt':
      return `stopped: ${decision.guard}${decision.limit === null ? '' : ` (limit ${decision.limit})`}`;
    case 'pause':
      return `paused: ${decision.question ?? decision.cause}`;
    case 'cancel':
      return 'cancelled';
    case 'abstain':
    case 'continue':
    case 'record':
    case 'refuse':
      return reading?.kind === 'invalid' ? `no active loop: ${reading.why}` : 'no active loop';
  }
}
