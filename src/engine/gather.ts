import { findClaim, findNearClaim } from '../core/claim.ts';
import { waitEvidence } from '../core/decide-failure.ts';
import { hasClaimed } from '../core/decide-turn.ts';
import type { Event } from '../core/event.ts';
import type { CheckResult, ClaimFacts, Evidence, MessageFacts, ProtectedFacts } from '../core/evidence.ts';
import { finishRuleOf, isMetButForHoldouts } from '../core/finish-rule.ts';
import { DAY_TURNS_MAX } from '../core/guards.ts';
import type { CheckSpec, Spec, State, Worker } from '../core/loop.ts';
import { needsWorkspace } from '../core/progress.ts';
import type { PromptMark } from '../core/prompt-mark.ts';
import { deliveredPrompts } from '../core/prompt.ts';
import { idleMsAt, isOfWorker } from '../core/running-time.ts';
import { fitOf, isOnTrial } from '../core/room.ts';
import type { RoomBaseline, RoomTrial } from '../core/room.ts';
import { messageFacts } from '../core/message-similarity.ts';
import { gatherCopy, gatherFits, gatherRoom, gatherTrial, gatherWork, holdoutsIn, settleCopy } from './gather-room.ts';
import type { Pipeline } from './pipeline.ts';
import { perform } from './pipeline.ts';
import type { ProbeAnswer, ProbeBatch, ProbeRequest, TurnReport } from './ports.ts';

/** `2026-01-31` */
const DAY_CHARS = 10;

type Scene = { readonly spec: Spec; readonly state: State; readonly event: Event; readonly report: TurnReport };

/** Gathers the facts that a decision about this event needs, in the right order. Nothing else reads the clock. */
export function* gather(scene: Scene): Pipeline<Evidence> {
  const { spec, state, event } = scene;
  if (event.kind === 'turn-ended') return yield* gatherTurn(scene);
  const shown = spec.checks.filter((check) => !check.holdout);
  if (event.kind === 'baseline-taken') {
    const around = yield* lookAround(scene, true);
    const copy = yield* gatherCopy(spec, state);
    const checks = yield* runChecks(scene, shown);
    const settled = yield* settleCopy(spec, state, { copy, results: checks });
    const room = yield* gatherFits(spec, state, { copy: settled, results: checks });
    return { clock: yield* perform('readClock'), ...around, checks, ...room };
  }
  if (event.kind === 'goal-announced') {
    const checks = yield* runChecks(scene, shown);
    return { clock: yield* perform('readClock'), checks };
  }
  const clock = yield* perform('readClock');
  if (event.kind === 'watcher-began') return { clock, ...(yield* lookAtWorker(state, state.watcher)) };
  // The driver's own events show that it is alive; other events do not.
  const { noReply, approvalDue } = scene.report;
  const unseen = scene.report.unseen === undefined ? {} : { unseen: scene.report.unseen };
  const rests = isRestAfter(scene) ? { rests: true as const } : {};
  const { usage } = scene.report;
  const used = event.kind === 'turn-failed' && usage !== undefined ? { usage } : {};
  const patience = event.kind === 'turn-failed' ? waitEvidence(spec, event.failure) : {};
  if (isOfWorker(event)) return { clock, ...waitsIn(scene), ...unseen, ...rests, ...patience, ...used };
  const idleMs = spec.driver === 'session' ? idleMsAt(state, event, clock, scene.report.idleMs?.()) : undefined;
  return {
    clock,
    ...waitsIn(scene),
    ...unseen,
    ...rests,
    ...patience,
    ...(idleMs === undefined ? {} : { idleMs }),
    ...(noReply === undefined ? {} : { noReply }),
    ...(approvalDue === undefined ? {} : { approvalDue }),
    ...(event.kind === 'approval-given' ? yield* gatherWork(spec, state) : {}),
    ...(yield* lookAtHolder(state, spec)),
  };
}

/**
 * A session that ended, whose turn failed, or that is resumed from outside rests until someone begins a turn there; outside a session, the
 * driver waits after a failed turn. Documents handle this themselves, unless a host reported the failure.
 */
function isRestAfter({ spec, event, report }: Scene): boolean {
  if (spec.dialect !== undefined || spec.delivery !== undefined)
    return event.kind === 'turn-failed' && report.rests === true;
  if (spec.driver !== 'session') return event.kind === 'turn-failed';
  return event.kind === 'turn-failed' || event.kind === 'session-left' || report.rests === true;
}

/** Time in a dialog of the host is not work. The host reports when it opens, and the clock counts from there: first the dialog, then work. */
export function waitsIn({ state, report }: Pick<Scene, 'state' | 'report'>): Pick<Evidence, 'dialogMs'> {
  const sinceMs = state.runningSince?.wallMs;
  if (sinceMs === undefined) return {};
  const answeredMs = state.awaitsAnswer === true ? report.answeredMs?.(sinceMs) : undefined;
  const dialogMs = answeredMs === undefined ? (report.dialogMs?.(sinceMs) ?? 0) : answeredMs - sinceMs;
  return dialogMs > 0 ? { dialogMs } : {};
}

function* gatherTurn(asked: Scene): Pipeline<Evidence> {
  // Comes first, so that the same checks never run twice at once.
  const tried = isOnTrial(asked.state.room) ? yield* gatherTrial(asked.spec, asked.state) : undefined;
  const learned = tried?.kind === 'kept' ? { roomBaseline: tried } : {};
  const scene = tried?.kind === 'kept' ? { ...asked, state: { ...asked.state, room: tried } } : asked;
  const { spec, state, report } = scene;
  const message = report.message ?? '';
  const claim = gatherClaim(spec, state, message);
  const facts = messageFacts(message);
  // Examines the work tree before the checks run, because they may write into it.
  const around = yield* lookAround(scene, isLookDue(scene, facts));
  const shown = spec.checks.filter((check) => !check.holdout);
  const rule = state.finish ?? finishRuleOf(spec, state.baseline ?? []);
  const holds = (checks: readonly CheckResult[]): boolean =>
    isMetButForHoldouts(rule, spec, {
      claimed: hasClaimed(state, { claim }),
      checks,
      criteriaMet: report.criteriaMet ?? around.criteriaMet ?? [],
      approvals: [...state.approvals, 'finish'],
    });
  const first = isOnTrial(tried)
    ? shown.map((check) => resultOnTrial(check, tried.trial))
    : yield* runChecksWithRetry(scene, shown, claim.made !== null);
  const visible = holds(first) ? yield* rerunLateChecks(scene, shown, first) : first;
  const last: LastFacts = holds(visible) ? yield* gatherLast(scene, around, tried) : { holdouts: [] };
  const clock = yield* perform('readClock');
  return {
    clock,
    ...waitsIn(scene),
    ...(yield* turnsOfDay(scene, clock.wallMs)),
    ...around,
    ...(last.protectedFiles === undefined ? {} : { protectedFiles: last.protectedFiles }),
    ...(report.progress === undefined ? {} : { workspace: `${around.workspace ?? ''}+${report.progress}` }),
    checks: [...visible, ...last.holdouts],
    ...(last.room === undefined ? {} : { room: last.room }),
    ...learned,
    message: facts,
    claim,
    ...(report.criteriaMet === undefined ? {} : { criteriaMet: report.criteriaMet }),
    ...(report.usage === undefined ? {} : { usage: report.usage }),
    ...(report.costTotalUsd === undefined ? {} : { costTotalUsd: report.costTotalUsd }),
    ...(report.toolCalls === undefined ? {} : { toolCalls: report.toolCalls }),
    ...(report.sentBack === undefined ? {} : { sentBack: report.sentBack }),
    ...(report.backgroundWork === undefined ? {} : { backgroundWork: report.backgroundWork }),
    ...(report.backgroundTasks === undefined ? {} : { backgroundTasks: report.backgroundTasks }),
    ...(report.outlasted === undefined ? {} : { outlasted: report.outlasted }),
    ...(report.repliesInRowMax === undefined ? {} : { repliesInRowMax: report.repliesInRowMax }),
    ...(report.newRow === undefined ? {} : { newRow: report.newRow }),
    ...(report.remembers === undefined ? {} : { remembers: report.remembers }),
    ...(report.contextFull === undefined ? {} : { contextFull: report.contextFull }),
    ...(report.approvalDue === undefined ? {} : { approvalDue: report.approvalDue }),
    ...(report.unseen === undefined ? {} : { unseen: report.unseen }),
  };
}

function gatherClaim(spec: Spec, state: State, message: string): ClaimFacts {
  const prompts = (): readonly PromptMark[] => deliveredPrompts(spec, state);
  const found = findClaim(spec.claim, message, prompts, spec.goal);
  // Documents have no way to claim "blocked", so our tag is plain text there.
  if (spec.dialect !== undefined) return { ...found, blocked: null };
  const near = found.made === null ? findNearClaim(spec.claim, message, prompts) : null;
  return near === null ? found : { ...found, near };
}

/** It runs in a room of the start first, then in the project. */
function resultOnTrial({ name }: CheckSpec, trial: RoomTrial): CheckResult {
  return { name, result: 'unknown', unknown: 'still-running', durationMs: 0, tail: '', ...trial };
}

/** Counted before the commit: a process killed in between has counted one turn too many, never too few. */
function* turnsOfDay({ spec, state, report }: Scene, nowMs: number): Pipeline<Pick<Evidence, 'day'>> {
  if (spec.dialect === undefined) return {};
  const turns = yield* perform('countTurn', state.cwd, new Date(nowMs).toISOString().slice(0, DAY_CHARS));
  return { day: { turns, max: report.dayTurnsMax ?? DAY_TURNS_MAX } };
}

/**
 * In a large repository, examining the work tree costs more than the rest of a stop. With checks it is always done, because its meaning
 * depends on their results, which are not known yet.
 */
function isLookDue({ spec, state, report }: Scene, message: MessageFacts): boolean {
  if (spec.checks.length > 0 || report.progress !== undefined) return true;
  const { toolCalls, sentBack, criteriaMet } = report;
  const signs = {
    message,
    ...(toolCalls === undefined ? {} : { toolCalls }),
    ...(sentBack === undefined ? {} : { sentBack }),
    ...(criteriaMet === undefined ? {} : { criteriaMet }),
  };
  return needsWorkspace(state, signs, state.limits.noProgressMax);
}

function* lookAround(
  { spec, state }: Scene,
  withWorkspace: boolean,
): Pipeline<Pick<Evidence, 'workspace' | 'protectedFiles' | 'criteriaMet'>> {
  const ticked = spec.criteria.filter((criterion) => criterion.by === 'agent').map((criterion) => criterion.text);
  const requests: ProbeRequest[] = withWorkspace
    ? [{ kind: 'workspace', ...(spec.dialect === undefined ? {} : { except: spec.dialect.file }) }]
    : [];
  if (spec.protect.length > 0)
    requests.push({ kind: 'protected', globs: spec.protect, accepted: state.protectedAccepted });
  if (ticked.length > 0 && spec.tracker !== undefined)
    requests.push({ kind: 'criteria', tracker: spec.tracker, texts: ticked });
  if (requests.length === 0) return {};
  const answers = yield* perform('probe', { loop: state.loop, cwd: state.cwd, requests, inOrder: false });
  return answers.reduce((facts, answer) => ({ ...facts, ...factOf(answer) }), {});
}

function factOf(answer: ProbeAnswer): Pick<Evidence, 'workspace' | 'protectedFiles' | 'criteriaMet'> {
  switch (answer.kind) {
    case 'workspace':
      return { workspace: answer.fingerprint };
    case 'protected':
      return { protectedFiles: answer.facts };
    case 'criteria':
      return { criteriaMet: answer.met };
    case 'check':
    case 'holder':
    case 'room-baseline':
    case 'room':
    case 'work':
      return {};
  }
}

type LastFacts = Pick<Evidence, 'room' | 'protectedFiles'> & { readonly holdouts: readonly CheckResult[] };

/** Everything else passes: runs the clean room, and the hold-out checks that cannot run there. */
function* gatherLast(
  scene: Scene,
  around: Pick<Evidence, 'protectedFiles'>,
  tried: RoomBaseline | undefined,
): Pipeline<LastFacts> {
  const { spec, state } = scene;
  const room = yield* gatherRoom(spec, state, tried);
  const inRoom = holdoutsIn(room, spec, state);
  const others = spec.checks.filter((check) => check.holdout && !inRoom.some(({ name }) => name === check.name));
  // A room that is still running will run the hold-out checks later.
  if (room?.kind === 'running') return { room, holdouts: [] };
  const asked = yield* runChecksWithRetry(scene, others, true);
  const holdouts = [...inRoom, ...(yield* rerunLateChecks(scene, others, asked))];
  const protectedFiles = room === undefined ? yield* lookAtProtectedAgain(scene, around.protectedFiles) : undefined;
  return {
    holdouts,
    ...(room === undefined ? {} : { room }),
    ...(protectedFiles === undefined ? {} : { protectedFiles }),
  };
}

/** A check, or something the agent left running, may have changed or restored them while the checks ran. */
function* lookAtProtectedAgain(
  { spec, state }: Scene,
  before: ProtectedFacts | undefined,
): Pipeline<ProtectedFacts | undefined> {
  if (before === undefined) return undefined;
  const { loop, cwd, protectedAccepted: accepted } = state;
  const request: ProbeRequest = { kind: 'protected', globs: spec.protect, accepted };
  const [answer] = yield* perform('probe', { loop, cwd, requests: [request], inOrder: false });
  if (answer?.kind !== 'protected' || answer.facts.changed.length === 0) return before;
  return { ...answer.facts, changed: [...new Set([...before.changed, ...answer.facts.changed])] };
}

function* lookAtHolder(state: State, spec: Spec): Pipeline<Pick<Evidence, 'holderAlive' | 'holderSeen'>> {
  if (spec.driver === 'session' || state.worker === null) return {};
  return yield* lookAtWorker(state, state.worker);
}

function* lookAtWorker(
  { loop, cwd }: State,
  worker: Worker | undefined,
): Pipeline<Pick<Evidence, 'holderAlive' | 'holderSeen'>> {
  if (worker === undefined) return {};
  const [answer] = yield* perform('probe', { loop, cwd, requests: [{ kind: 'holder', worker }], inOrder: false });
  if (answer?.kind !== 'holder') return {};
  return { holderAlive: answer.alive, ...(answer.seen === null ? {} : { holderSeen: answer.seen }) };
}

/** Runs a failed check again if the failure matters: after an earlier pass, or when it would refuse a claim. */
function* runChecksWithRetry(
  scene: Scene,
  checks: readonly CheckSpec[],
  always: boolean,
): Pipeline<readonly CheckResult[]> {
  const first = yield* runChecks(scene, checks);
  const passedBefore = new Set(
    scene.state.checks.filter((check) => check.result === 'passed').map((check) => check.name),
  );
  const doubtful = checks.filter(
    (check) =>
      first.some((result) => result.name === check.name && result.result === 'failed') &&
      (always || passedBefore.has(check.name)),
  );
  if (doubtful.length === 0) return first;
  const second = yield* runChecks(scene, doubtful);
  return first.map((result) => {
    const again = second.find((candidate) => candidate.name === result.name);
    return again?.result === 'passed' ? { ...again, flaky: true as const } : result;
  });
}

/** A late pass was computed while the agent was at work, so the files it depends on may have changed since. */
function* rerunLateChecks(
  scene: Scene,
  checks: readonly CheckSpec[],
  results: readonly CheckResult[],
): Pipeline<readonly CheckResult[]> {
  const { state } = scene;
  // The clean room runs them again anyway.
  const isLate = results.some(({ name, result, late }) => {
    return late === true && result === 'passed' && fitOf(state.room, name)?.fit !== true;
  });
  return isLate ? yield* runChecks(scene, checks, { again: true }) : results;
}

function* runChecks(
  { spec, state }: Scene,
  checks: readonly CheckSpec[],
  how: Pick<ProbeBatch, 'again'> = {},
): Pipeline<readonly CheckResult[]> {
  if (checks.length === 0) return [];
  const requests = checks.map((check): ProbeRequest => ({ kind: 'check', check }));
  const { loop, cwd, vouchers } = state;
  const answers = yield* perform('probe', {
    loop,
    cwd,
    requests,
    inOrder: spec.checksInOrder,
    ...(vouchers === undefined ? {} : { vouchers }),
    ...how,
  });
  return answers.flatMap((answer, index) =>
    answer.kind === 'check'
      ? [checks[index]?.holdout === true ? { ...answer.result, holdout: true as const } : answer.result]
      : [],
  );
}
