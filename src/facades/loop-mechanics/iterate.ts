import type { Event } from '../../core/event.ts';
import { turnEnded } from '../../core/event.ts';
import { isEnded } from '../../core/loop.ts';
import { loopMechanics } from '../../dialects/loop-mechanics/dialect.ts';
import { boundedError, classifyError, FAILURE_CLASSES, withError } from '../../dialects/loop-mechanics/errors.ts';
import type { ErrorClass, LoopError, LoopState } from '../../dialects/loop-mechanics/state.ts';
import { criteriaOf, nextOf, roundedCost } from '../../dialects/loop-mechanics/state.ts';
import { otherSessionReason, pausedReason, pauseWordsOf } from '../../dialects/loop-mechanics/words.ts';
import { answerOf } from '../../engine/dialect-loop.ts';
import { loopOfFile } from '../../engine/loop-of-file.ts';
import type { TurnReport } from '../../engine/ports.ts';
import type { PauseReport, LoopSession } from './loop-session.ts';
import { isOwner, noticeFile, printPause, postEvent, printReport } from './loop-session.ts';
import { editState, stateIn } from './state-file.ts';
import type { StepResult } from './step-result.ts';
import { resultFrom, withKnownCriteria } from './step-result.ts';
import { failedBy } from './thrown-error.ts';

/** `ok` and `reason` are those of the stop check: `ok: false` requests another iteration. */
export type IterationResult = {
  /** `null` = no loop of this session is running: nothing was executed or recorded. `reason` names the loop that waits or runs. */
  readonly step: string | null;
  readonly ok: boolean;
  readonly reason: string;
  readonly state: LoopState | null;
  readonly error?: LoopError;
  readonly paused?: PauseReport;
  /** The summary, if this step completed the loop. */
  readonly report?: string;
};

type NextStep = { readonly step: string } | { readonly step: null; readonly reason: string };

export function iterate(session: LoopSession, execute: (step: string) => StepResult): IterationResult {
  const next = nextStep(session);
  if (next.step === null) return nothingDone(session, next);
  return recordStep(session, next.step, resultOf(next.step, execute));
}

export async function iterateAsync(
  session: LoopSession,
  execute: (step: string) => Promise<StepResult>,
): Promise<IterationResult> {
  const next = nextStep(session);
  if (next.step === null) return nothingDone(session, next);
  return recordStep(session, next.step, await resultOfAsync(next.step, execute));
}

/** `remainingSteps[0]` of the loop that this session drives. A file without a loop starts one; a loop of another session is left alone. */
function nextStep(session: LoopSession): NextStep {
  const { engine, place } = session;
  const loaded = noticeFile(session);
  const state = stateIn(engine, place);
  if (loaded === undefined || state === null || place.session === null) return NO_LOOP;
  if (isEnded(loaded.state)) return NO_LOOP;
  if (loaded.state.status === 'running' && isOwner(session, loaded)) return { step: nextOf(state) };
  const reason = isOwner(session, loaded) ? pausedReason(loaded) : otherSessionReason(loaded, place.session);
  return { step: null, reason };
}

const NO_LOOP: NextStep = { step: null, reason: 'no active loop' };

function nothingDone({ engine, place }: LoopSession, next: NextStep & { readonly step: null }): IterationResult {
  return { ...next, ok: true, state: stateIn(engine, place) };
}

/** A step that throws is treated like one that returns its error. */
function resultOf(step: string, execute: (step: string) => StepResult): StepResult {
  try {
    return resultFrom(execute(step));
  } catch (error) {
    return failedBy(error);
  }
}

async function resultOfAsync(step: string, execute: (step: string) => Promise<StepResult>): Promise<StepResult> {
  try {
    return resultFrom(await execute(step));
  } catch (error) {
    return failedBy(error);
  }
}

/** Records the result of the step, and lets the engine decide. */
function recordStep(session: LoopSession, step: string, returned: StepResult): IterationResult {
  const { engine, place } = session;
  // A step may take hours. If someone has moved the loop to another session since, the file belongs to that session.
  const loop = engine.run(loopOfFile(place));
  if (loop !== undefined && place.session !== null && !isOwner(session, loop))
    return { step, ok: true, reason: otherSessionReason(loop, place.session), state: stateIn(engine, place) };
  const before = stateIn(engine, place);
  const result = withKnownCriteria(returned, before === null ? [] : criteriaOf(before));
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
    ok: !words.sendsBack,
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
  return boundedError({ class: error.class ?? classifyError(error.message), step, message: error.message, at });
}

/** Success moves the step, failure adds to the errors; verified criteria and cost count either way. */
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
    ...(error === undefined ? {} : withError(state, error)),
    ...(result.criteria === undefined ? {} : { criteriaStatus: { ...state.criteriaStatus, ...result.criteria } }),
    ...(result.cost === undefined ? {} : { cost: roundedCost((state.cost ?? 0) + result.cost) }),
  };
}

/** A logic error is an ordinary turn: the agent fixes it, and it counts. With other errors the turn failed. */
function eventOf(result: StepResult, error: LoopError | undefined): [Event, TurnReport] {
  const message = result.message ?? '';
  const failed = error === undefined ? null : FAILURE_CLASSES[error.class];
  // A step that cost nothing does not change the total.
  const free = result.cost === 0 ? { usage: { costUsd: 0, tokens: 'unknown' } as const } : {};
  if (error === undefined || failed === null) return [turnEnded(), { message, ...free }];
  const failure = { class: failed, detail: error.message };
  return [{ kind: 'turn-failed', failure, iteration: null, worker: null }, { message }];
}
