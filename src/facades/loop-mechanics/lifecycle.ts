import type { Decision } from '../../core/decision.ts';
import { turnEnded } from '../../core/event.ts';
import type { Limits } from '../../core/loop.ts';
import type { Score } from '../../core/rubric.ts';
import { scoreGoal } from '../../core/rubric.ts';
import { descriptor } from '../../dialects/loop-mechanics/descriptor.ts';
import { loopMechanics } from '../../dialects/loop-mechanics/dialect.ts';
import { jsonText } from '../../dialects/json-file.ts';
import { newLoopText, parseSpec } from '../../dialects/loop-mechanics/spec.ts';
import type { LoopShape, LoopState } from '../../dialects/loop-mechanics/state.ts';
import { IN_PROGRESS, nextOf } from '../../dialects/loop-mechanics/state.ts';
import type { Task } from '../../dialects/loop-mechanics/task.ts';
import { announcement } from '../../dialects/loop-mechanics/words.ts';
import type { UserAdditions } from '../../engine/start-from-file.ts';
import { answerOf } from '../../engine/dialect-loop.ts';
import { loopOfFile } from '../../engine/loop-of-file.ts';
import { startFromFile } from '../../engine/start-from-file.ts';
import { offerOfFile } from '../../engine/file-offer.ts';
import { endLeftLoop } from '../../engine/new-state-file.ts';
import type { Loaded } from '../../engine/ports.ts';
import { takeOver } from '../../engine/take-over.ts';
import type { EmbeddedEngineOptions } from '../embedded-engine.ts';
import { openEmbeddedEngine } from '../embedded-engine.ts';
import { requireOptions, requireSpec } from './checked-options.ts';
import type { IterationResult } from './iterate.ts';
import { iterate, iterateAsync } from './iterate.ts';
import type { PauseReport, LoopSession } from './loop-session.ts';
import { isOwner, printPause, postEvent, printReport } from './loop-session.ts';
import { placeOf, readStateBeforeStart, stateIn, writeState } from './state-file.ts';
import type { StepResult } from './step-result.ts';
import type { Tasks } from './tasks.ts';
import { fileTasks, newestOf, stateOfTask, taskOf } from './tasks.ts';

export type LoopMechanicsOptions = EmbeddedEngineOptions & {
  /** Absolute; `.loop/state.json` is below it. */
  readonly project: string;
  readonly session: string;
  readonly host?: string;
  /** Default: files below `$TIRELESS_HOME`. */
  readonly tasks?: Tasks;
  /** Checks and limits in addition to the document's own. */
  readonly extras?: UserAdditions;
  /** Prints pauses and reports; they are also returned. */
  readonly print?: (text: string) => void;
};

export type StartOptions = {
  readonly criteria?: readonly string[];
  readonly steps?: readonly string[];
  readonly maxIterations?: number;
  readonly budget?: number;
  /** Given by the user: a low score then does not delay the loop. */
  readonly shape?: LoopShape;
};

export type StartResult =
  | {
      readonly kind: 'started';
      readonly loop: string;
      readonly state: LoopState;
      readonly task: Task;
      readonly score: Score;
    }
  | { readonly kind: 'ask-first'; readonly score: Score }
  | { readonly kind: 'already-active'; readonly state: LoopState };

/** `next`: `remainingSteps[0]`, or what remains to be done about the criteria. */
export type ResumeResult = { readonly state: LoopState; readonly next: string; readonly decision: Decision };

export type CompleteResult =
  | { readonly kind: 'completed'; readonly verified: boolean; readonly report: string }
  | { readonly kind: 'refused'; readonly reason: string };

export type LoopMechanics = {
  readonly start: (spec: string, options?: StartOptions) => StartResult;
  /** One step: executes the first of `remainingSteps`, records it and judges it. */
  readonly iterate: (execute: (step: string) => StepResult) => IterationResult;
  readonly iterateAsync: (execute: (step: string) => Promise<StepResult>) => Promise<IterationResult>;
  readonly pause: (reason: string) => PauseReport | null;
  /** Takes the loop into this session; `null` = there is nothing to continue. */
  readonly resume: (raised?: Pick<StartOptions, 'maxIterations' | 'budget'>) => ResumeResult | null;
  readonly complete: (message?: string) => CompleteResult;
  /** For a session that begins; `null` = no loop is in progress. */
  readonly announce: () => string | null;
  readonly state: () => LoopState | null;
  readonly close: () => void;
};

/** The document's lifecycle on the engine. Each call reads the current state: nothing is kept in memory, so any process can continue. */
export function openLoopMechanics(options: LoopMechanicsOptions): LoopMechanics {
  const { project, host = 'claude-code', extras = {}, print = () => {} } = options;
  const engine = openEmbeddedEngine(options);
  const place = placeOf(project, { host, id: options.session });
  const session: LoopSession = {
    engine,
    place,
    tasks: options.tasks ?? fileTasks(engine.home, project),
    extras,
    print,
  };
  return {
    start: (spec, more = {}) => start(session, spec, more),
    iterate: (execute) => iterate(session, execute),
    iterateAsync: (execute) => iterateAsync(session, execute),
    pause: (reason) => pause(session, reason),
    resume: (raised = {}) => resume(session, raised),
    complete: (message = '<loop-complete>') => complete(session, message),
    announce: () => {
      const bytes = engine.effects.readFile(place.live.path);
      if (bytes === null || place.session === null) return null;
      const loop = engine.run(loopOfFile(place)) ?? null;
      return announcement(bytes.text, { session: place.session, loop, offer: engine.run(offerOfFile(place)) });
    },
    state: () => stateIn(engine, place),
    close: engine.close,
  };
}

function start(session: LoopSession, request: string, options: StartOptions): StartResult {
  const { engine, place, tasks } = session;
  requireSpec(request);
  requireOptions(options);
  const active = readStateBeforeStart(engine, place);
  if (active?.status === IN_PROGRESS) return { kind: 'already-active', state: active };
  const parsed = parseSpec(request);
  const { steps = parsed.steps, maxIterations, budget } = options;
  const criteria = options.criteria === undefined || options.criteria.length === 0 ? parsed.criteria : options.criteria;
  const score = scoreGoal(request, { criteria: options.criteria ?? [] });
  if (options.shape === undefined && score.shape === 'ask-first') return { kind: 'ask-first', score };
  const text = newLoopText({
    spec: parsed.spec,
    criteria,
    steps,
    score,
    ...(options.shape === undefined ? {} : { shape: options.shape }),
    maxIterations: maxIterations ?? descriptor.maxIterationsDefault,
    ...(budget === undefined ? {} : { budget }),
    startedAt: new Date(engine.effects.readClock().wallMs).toISOString(),
  });
  engine.run(endLeftLoop(place.live));
  // The file comes first: if the power fails now, the first stop starts the loop from it.
  writeState(engine, place, text);
  const { state: loop } = begin(session);
  const state = stateIn(engine, place);
  if (state === null) throw new Error('the state file was just written');
  const task = tasks.TaskCreate(taskOf(state, loop));
  return { kind: 'started', loop: loop.loop, state, task, score };
}

function begin({ engine, place, extras }: LoopSession): Loaded {
  const bytes = engine.effects.readFile(place.live.path);
  const reading = loopMechanics.read(bytes?.text ?? '');
  if (reading.kind === 'invalid') throw new Error(`the state file was just written: ${reading.why}`);
  return engine.run(startFromFile(place, place.session, reading, extras));
}

/** A loop that is already waiting keeps its reason. */
function pause(session: LoopSession, reason: string): PauseReport | null {
  const trouble = reason.trim() === '' ? {} : { trouble: reason };
  const { loaded } = postEvent(session, { kind: 'pause-requested', ...trouble });
  if (loaded?.state.status !== 'paused' || !isOwner(session, loaded)) return null;
  const { pause: now } = loaded.state;
  return printPause(
    session,
    { reason: now?.question ?? (now?.cause === 'user' ? 'on request' : now?.cause) ?? reason },
    loaded,
  );
}

type Raised = Pick<StartOptions, 'maxIterations' | 'budget'>;

function resume(session: LoopSession, raised: Raised): ResumeResult | null {
  const { engine, place } = session;
  requireOptions(raised);
  if (place.session === null || (stateIn(engine, place) === null && !restore(session))) return null;
  const known = engine.run(takeOver(place, place.session));
  if (known === undefined || known.state.status === 'completed' || known.state.status === 'cancelled') {
    if (stateIn(engine, place)?.status !== IN_PROGRESS) return null;
    begin(session);
  }
  const limits = limitsOf(raised);
  const { decision } = postEvent(session, { kind: 'resume-requested', ...(limits === null ? {} : { limits }) });
  if (decision.kind === 'cancel' || (decision.kind === 'abstain' && decision.because !== 'not-paused')) return null;
  const state = stateIn(engine, place);
  return state === null ? null : { state, next: nextOf(state), decision };
}

function limitsOf({ maxIterations, budget }: Raised): Partial<Limits> | null {
  if (maxIterations === undefined && budget === undefined) return null;
  return {
    ...(maxIterations === undefined ? {} : { iterationsMax: maxIterations }),
    ...(budget === undefined ? {} : { costMaxUsd: budget }),
  };
}

/** The file is lost but the task is not: its state is written again. */
function restore({ engine, place, tasks }: LoopSession): boolean {
  if (engine.effects.readFile(place.live.path) !== null) return false;
  const task = newestOf(tasks.TaskList().filter((each) => each.status === IN_PROGRESS && each.metadata !== undefined));
  if (task === undefined) return false;
  writeState(engine, place, jsonText(stateOfTask(task)));
  return true;
}

function complete(session: LoopSession, message: string): CompleteResult {
  const handled = postEvent(session, turnEnded(), { message });
  const { decision, loaded } = handled;
  const report = decision.kind === 'complete' ? printReport(session, loaded) : null;
  if (decision.kind !== 'complete' || report === null)
    return { kind: 'refused', reason: loopMechanics.wordsFor(answerOf(handled)).reason };
  return { kind: 'completed', verified: decision.verified, report };
}
