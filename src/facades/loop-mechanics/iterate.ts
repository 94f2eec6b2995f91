import { headWithin } from '../../core/quoting.ts';
import { loopMechanics } from '../../dialects/loop-mechanics/dialect.ts';
import { classifyError, FAILURE_CLASSES } from '../../dialects/loop-mechanics/errors.ts';
import type { ErrorClass, LoopError, LoopState } from '../../dialects/loop-mechanics/state.ts';
import { roundedCost } from '../../dialects/loop-mechanics/state.ts';
import { pauseWordsOf } from '../../dialects/loop-mechanics/words.ts';
import { answerOf } from '../../engine/dialect-loop.ts';
import { stopEvent } from '../embedded-engine.ts';
import type { Paused, LoopSession } from './loop-session.ts';
import { printPause, postEvent, printReport } from './loop-session.ts';
import { editState, stateIn } from './state-file.ts';

/** What became of a step. `criteria`: those that were verified with it, true or false. `cost` of this step, in US dollars. */
export type StepResult = {
  readonly criteria?: Readonly<Record<string, boolean>>;
  readonly cost?: number;
  /** The agent's last words. */
  readonly message?: string;
} & (
  | { readonly ok: true }
  | { readonly ok: false; readonly error: { readonly class?: ErrorClass; readonly message: string } }
);

/** `ok` and `reason` are those of the stop check: `ok: false` asks for another iteration. */
export type Iterated = {
  /** `null` = no loop of this session is running, and nothing was executed. */
  readonly step: string | null;
  readonly ok: boolean;
  readonly reason: string;
  readonly state: LoopState | null;
  readonly error?: LoopError;
  readonly paused?: Paused;
  /** The summary, when this step completed the loop. */
  readonly report?: string;
};

const ERRORS_KEPT = 50;
const ERROR_BYTES_MAX = 4000;

/** Executes the step, writes down what became of it, and asks the engine. */
export function settleStep(session: LoopSession, step: string | null, execute: (step: string) => StepResult): Iterated {
  const { engine, place } = session;
  if (step === null) return { step, ok: true, reason: 'no active loop', state: stateIn(engine, place) };
  const result = execute(step);
  const error = result.ok ? undefined : errorOf(session, step, result.error);
  editState(engine, place, (state) => changesOf(state, step, result, error));
  const handled = postEvent(session, ...eventOf(result, error));
  const { decision, loaded } = handled;
  const words = loopMechanics.wordsFor(answerOf(handled));
  const paused =
    decision.kind === 'pause' && loaded !== undefined
      ? printPause(session, pauseWordsOf(decision, error?.class ?? null), loaded)
      : undefined;
  const report = decision.kind === 'complete' ? printReport(session, loaded) : null;
  return {
    step,
    ok: !words.goesOn,
    reason: words.reason,
    state: stateIn(engine, place),
    ...(error === undefined ? {} : { error }),
    ...(paused === undefined ? {} : { paused }),
    ...(report === null ? {} : { report }),
  };
}

function errorOf(
  { engine }: LoopSession,
  step: string,
  error: { readonly class?: ErrorClass; readonly message: string },
): LoopError {
  const at = new Date(engine.effects.readClock().wallMs).toISOString();
  const message = headWithin(error.message, ERROR_BYTES_MAX);
  return { class: error.class ?? classifyError(error.message), step, message, at };
}

/** Success moves the step, failure adds to the errors; what was verified and what it cost count either way. */
function changesOf(
  state: LoopState,
  step: string,
  result: StepResult,
  error: LoopError | undefined,
): Partial<LoopState> {
  const [first, ...rest] = state.remainingSteps;
  return {
    ...(error === undefined && first === step
      ? { completedSteps: [...state.completedSteps, first], remainingSteps: rest }
      : {}),
    ...(error === undefined ? {} : { errors: [...(state.errors ?? []), error].slice(-ERRORS_KEPT) }),
    ...(result.criteria === undefined ? {} : { criteriaStatus: { ...state.criteriaStatus, ...result.criteria } }),
    ...(result.cost === undefined ? {} : { cost: roundedCost((state.cost ?? 0) + result.cost) }),
  };
}

/** A logic error is a turn like any other: the agent fixes it, and it counts. The others did not get that far. */
function eventOf(
  result: StepResult,
  error: LoopError | undefined,
): [Parameters<typeof postEvent>[1], { message: string }] {
  const message = result.message ?? '';
  const failed = error === undefined ? null : FAILURE_CLASSES[error.class];
  if (error === undefined || failed === null) return [stopEvent(message), { message }];
  const failure = { class: failed, detail: error.message };
  return [{ kind: 'turn-failed', failure, iteration: null, worker: null }, { message }];
}
