import { outlastingWork, troubleOfTurn } from './background-work.ts';
import type { Decision } from './decision.ts';
import { countingOf } from './decide-failure.ts';
import { isFailureKnown } from './decide-parts.ts';
import { hasClaimed, repliesInRowBefore, spentAfter } from './decide-turn.ts';
import type { Event } from './event.ts';
import type { Evidence } from './evidence.ts';
import { MESSAGE_PREVIEW_CHARS_MAX } from './evidence.ts';
import { addUsage } from './guards.ts';
import { learnEdit, learnResume } from './learn-rarely.ts';
import { assert } from './fault.ts';
import { finishRuleOf } from './finish-rule.ts';
import type { Outcome, Pause, Plan, ProtectedMark, Spec, State, Status } from './loop.ts';
import { DEFAULT_LIMITS, limitsWith } from './loop.ts';
import { NO_PROGRESS_YET, startProgress } from './progress.ts';
import { doubtKeys } from './room.ts';
import type { Trouble } from './trouble.ts';
import { learnSilence, withSession } from './session-left.ts';
import { vouchersAfter } from './vouchers.ts';
import { withRest, withTime } from './working-time.ts';
import { interruptedByMove, withMove } from './session-moved.ts';

const DOUBTS_MAX = 200;

export type Step = {
  readonly event: Event;
  readonly evidence: Evidence;
  readonly decision: Decision;
  readonly at: string;
};

/** The state a loop starts with. Every later state comes from `advance`. */
export function initialState(started: Event & { kind: 'loop-started' }, evidence: Evidence, at: string): State {
  const { spec } = started;
  return {
    version: 1,
    loop: started.loop,
    status: 'pending',
    phase: 'ready',
    counted: 0,
    limits: limitsWith(DEFAULT_LIMITS, spec.limits),
    edits: {},
    file: null,
    faults: 0,
    faultsInRow: 0,
    runningMs: 0,
    runningSince: null,
    usage: { costUsd: 0, tokens: 0 },
    progress: NO_PROGRESS_YET,
    plan: { strategy: 'steady', last: false, rerun: false, unmet: [], runningMs: 0 },
    finish: null,
    baseline: null,
    checks: [],
    criteriaMet: [],
    claimed: null,
    steering: [],
    steeringSent: [],
    approvals: [],
    protectedAccepted: null,
    lastMessage: '',
    lastTurn: null,
    lastTrouble: null,
    worker: null,
    pause: null,
    outcome: null,
    session: started.session,
    cwd: started.cwd,
    machine: started.machine,
    startedAt: at,
    updatedAt: at,
    endedAt: null,
  };
}

/** Pure: applies the event, then the decision. `abstain` is never committed, so it never gets here. */
export function advance(spec: Spec, state: State, step: Step): State {
  assert(step.decision.kind !== 'abstain', 'an abstention is not committed');
  const learned = learn(spec, withTime(spec, withSession(state, step.event), step), step);
  return { ...withRest(withUnseen(settle(spec, learned, step), step), step), updatedAt: step.at };
}

/** An outcome stays unseen until somebody is shown it or the loop moves on. */
function withUnseen(state: State, { event, evidence, decision }: Step): State {
  const isOver = !['continue', 'record', 'refuse'].includes(decision.kind);
  if (isOver && evidence.unseen === true) return { ...state, unseen: true };
  if (state.unseen === undefined || (decision.kind === 'record' && event.kind !== 'outcome-shown')) return state;
  const { unseen: _, ...rest } = state;
  return rest;
}

function learn(spec: Spec, state: State, step: Step): State {
  const { event, evidence } = step;
  switch (event.kind) {
    case 'baseline-taken':
      return learnBaseline(spec, state, event, evidence);
    case 'worker-leased':
      return {
        ...(state.phase === 'working' ? withFault(state, { code: 'driver-lost' }) : state),
        worker: event.worker,
      };
    case 'worker-released':
      return { ...state, worker: null };
    case 'watcher-began':
      return { ...state, watcher: event.worker };
    case 'watcher-ended':
      return withoutWatcher(state);
    case 'iteration-began':
      return delivered(state);
    case 'turn-ended':
      return isWaiting(step.decision) ? learnWait(state, evidence) : learnTurn(state, event, evidence);
    case 'turn-failed':
      return learnFailure(withUsage(state, evidence), event, evidence);
    case 'turn-aborted':
      return undelivered(state, { code: 'turn-aborted' });
    case 'resume-requested':
      return learnResume(state, event);
    case 'steering-given':
      return { ...state, steering: [...state.steering, event.text] };
    case 'attempt-refused':
      return { ...state, attemptsRefused: (state.attemptsRefused ?? 0) + 1 };
    case 'file-edited':
      return learnEdit(spec, state, event);
    case 'session-changed':
      return { ...interruptedByMove(withMove(state, event.from), event.activeMs), session: event.session };
    case 'move-shown':
      return withMove(state, undefined);
    case 'permission-asked':
    case 'session-left':
      return learnSilence(state, event.kind);
    case 'approval-given':
      return { ...state, approvals: [...state.approvals, event.request] };
    case 'approval-refused':
      return { ...state, steering: [...state.steering, { refused: event.request, reason: event.reason }] };
    case 'pause-requested':
      return state.phase === 'working' ? undelivered(state, { code: 'paused' }) : state;
    case 'user-spoke':
    case 'session-resumed':
    case 'driver-changed':
    case 'goal-announced':
      return learnInSession(state, event, evidence);
    case 'loop-started':
    case 'cancel-requested':
    case 'wait-ended':
    case 'tampering-found':
    case 'watcher-acted':
    case 'agent-rested':
    case 'outcome-shown':
      return state;
  }
}

function learnFailure(state: State, { failure }: Event & { kind: 'turn-failed' }, evidence: Evidence): State {
  if (failure.class === 'usage-limit')
    return (failure.counts === true ? withFault : undelivered)(state, { code: 'usage-limit' });
  const trouble = { code: 'turn-failed', detail: failure.detail } as const;
  const counting = countingOf(state, failure, evidence);
  const next = counting === 'free' ? undelivered(state, trouble) : withFault(state, trouble);
  return counting === 'fault' ? next : { ...next, waitedOutInRow: (state.waitedOutInRow ?? 0) + 1 };
}

/** A failed turn may still have cost something. If the host does not report usage, the sum stays as it is. */
function withUsage(state: State, { usage }: Evidence): State {
  return usage === undefined ? state : { ...state, usage: addUsage(state.usage, usage) };
}

function withoutWatcher(state: State): State {
  const { watcher: _, ...rest } = state;
  return rest;
}

function learnBaseline(
  spec: Spec,
  state: State,
  { firstPromptGiven }: Event & { kind: 'baseline-taken' },
  evidence: Evidence,
): State {
  const baseline = evidence.checks ?? [];
  return {
    ...state,
    baseline,
    checks: baseline,
    finish: finishRuleOf(spec, baseline),
    criteriaMet: evidence.criteriaMet ?? [],
    progress: startProgress(evidence),
    protectedAccepted: acceptedFiles(evidence) ?? state.protectedAccepted,
    ...baselineLearned(evidence),
    ...vouchersAfter(state, evidence),
    ...(firstPromptGiven === undefined ? {} : { firstPromptGiven }),
  };
}

type OfSession = Event & { kind: 'user-spoke' | 'session-resumed' | 'driver-changed' | 'goal-announced' };

function learnInSession(state: State, event: OfSession, evidence: Evidence): State {
  switch (event.kind) {
    case 'user-spoke':
      return { ...(event.delivers === true ? delivered(state) : state), repliesInRow: 0 };
    case 'session-resumed':
      return { ...(isFailureKnown(state) ? state : withFault(state, { code: 'session-lost' })), repliesInRow: 0 };
    case 'driver-changed': {
      const took = state.phase === 'working' ? undelivered(state, { code: 'driver-changed' }) : state;
      return {
        ...withMove(took, event.from),
        // A fresh agent must not wait for a check that its predecessor started.
        plan: withoutWaiting(took.plan),
        edits: { ...state.edits, driver: 'outer', agent: event.agent },
        session: null,
        repliesInRow: 0,
      };
    }
    case 'goal-announced':
      return { ...state, checks: evidence.checks ?? state.checks };
  }
}

function learnTurn(state: State, event: Event & { kind: 'turn-ended' }, evidence: Evidence): State {
  const spent = spentAfter(state, evidence);
  const { vouchers: _, waitedOutInRow: _ended, ...rest } = state;
  return {
    ...rest,
    phase: 'ready',
    counted: spent.counted,
    usage: spent.usage,
    faultsInRow: spent.faultsInRow,
    progress: spent.progress,
    checks: evidence.checks ?? state.checks,
    ...roomLearned(evidence),
    ...baselineLearned(evidence),
    ...outlastingWork(state, evidence),
    criteriaMet: evidence.criteriaMet ?? state.criteriaMet,
    claimed: hasClaimed(state, evidence),
    steeringSent: [],
    lastMessage: (evidence.message?.preview ?? '').slice(-MESSAGE_PREVIEW_CHARS_MAX),
    lastTurn: event.mark === undefined ? null : { ...event.mark, decided: evidence.clock },
    repliesInRow: repliesInRowBefore(state, evidence),
    lastTrouble: troubleOfTurn(event.cut, evidence.outlasted === true),
  };
}

function roomLearned({ room }: Evidence): Pick<State, 'roomChecks'> {
  return room?.kind === 'judged' ? { roomChecks: room.runs.map((run) => run.judged) } : {};
}

function baselineLearned({ roomBaseline }: Evidence): Pick<State, 'room'> {
  return roomBaseline === undefined ? {} : { room: roomBaseline };
}

function learnWait(state: State, evidence: Evidence): State {
  const { checks, room } = evidence;
  const call = room?.kind === 'running' ? room.call : checks?.find((check) => check.call !== undefined)?.call;
  return {
    ...state,
    phase: 'ready',
    claimed: hasClaimed(state, evidence),
    repliesInRow: repliesInRowBefore(state, evidence),
    ...(call === undefined ? {} : { call }),
    ...outlastingWork(state, evidence),
    ...baselineLearned(evidence),
    ...vouchersAfter(state, evidence),
  };
}

function isWaiting(decision: Decision): boolean {
  return (decision.kind === 'continue' || decision.kind === 'pause') && decision.waiting === true;
}

function withoutWaiting(plan: Plan): Plan {
  const { waiting: _, ...rest } = plan;
  return rest;
}

/** A prompt that tells the agent to wait carries no messages: the next prompt does. */
function delivered(state: State): State {
  return state.plan.waiting === true
    ? { ...state, phase: 'working' }
    : { ...state, phase: 'working', steeringSent: [...state.steeringSent, ...state.steering], steering: [] };
}

/** The prompt has to be delivered again, together with the messages it carried. */
function undelivered(state: State, trouble: Trouble): State {
  return {
    ...state,
    phase: 'ready',
    steering: [...state.steeringSent, ...state.steering],
    steeringSent: [],
    lastTrouble: trouble,
    plan: { ...state.plan, rerun: true },
  };
}

function withFault(state: State, trouble: Trouble): State {
  return { ...undelivered(state, trouble), faults: state.faults + 1, faultsInRow: state.faultsInRow + 1 };
}

function settle(spec: Spec, state: State, { event, evidence, decision, at }: Step): State {
  switch (decision.kind) {
    case 'record':
    case 'refuse':
    case 'abstain':
      return state.status === 'running' ? state : { ...state, runningSince: null };
    case 'continue': {
      const { strategy, last, rerun, brief, unmet } = decision;
      const plan: Plan = {
        strategy,
        last,
        rerun,
        ...(isWaiting(decision) ? { waiting: true as const } : {}),
        ...(brief === undefined ? {} : { brief }),
        unmet,
        runningMs: state.runningMs,
      };
      const running = {
        ...state,
        ...doubted(state, unmet),
        status: 'running' as const,
        plan,
        pause: null,
        outcome: null,
        endedAt: null,
      };
      // In a session the reply is the delivery, and the first prompt is the user's own; otherwise `iteration-began` marks the delivery.
      if (spec.driver !== 'session' || (spec.delivery !== undefined && event.kind !== 'baseline-taken')) return running;
      return {
        // No agent receives this reply, so the messages are kept for the reply to the next stop.
        ...(evidence.noReply === true ? { ...running, phase: 'working' } : delivered(running)),
        ...(event.kind === 'turn-ended' ? { repliesInRow: (state.repliesInRow ?? 0) + 1 } : {}),
      };
    }
    case 'complete':
      return ended(state, 'completed', completed(state, decision), at);
    case 'halt': {
      const { guard, limit, actual, detail, unmet } = decision;
      const outcome: Outcome = { kind: 'halted', guard, limit, actual, ...(detail === undefined ? {} : { detail }) };
      return { ...ended(state, 'halted', outcome, at), plan: { ...state.plan, unmet } };
    }
    case 'cancel':
      return ended(state, 'cancelled', { ...decision, kind: 'cancelled' }, at);
    case 'pause': {
      const { kind: _, unmet, waiting, ...pause } = decision;
      const accepted = event.kind === 'turn-ended' ? { protectedAccepted: acceptedAfter(state, pause, evidence) } : {};
      const judged = { ...withoutWaiting(state.plan), ...(waiting === undefined ? {} : { waiting }), rerun: false };
      const plan = unmet === undefined ? state.plan : { ...judged, unmet };
      return { ...state, ...accepted, status: 'paused', pause, plan, runningSince: null };
    }
  }
}

/** Remembers the doubts the agent was sent back with: if it does not change its work, a person decides. */
function doubted(state: State, unmet: Plan['unmet']): Pick<State, 'doubts'> {
  const keys = doubtKeys(unmet);
  return keys.length === 0 ? {} : { doubts: [...new Set([...(state.doubts ?? []), ...keys])].slice(-DOUBTS_MAX) };
}

function completed(state: State, { verified, level, greenBefore }: Decision & { kind: 'complete' }): Outcome {
  const flaky = state.checks.filter((check) => check.flaky === true).map((check) => check.name);
  return {
    kind: 'completed',
    verified,
    ...(level === undefined ? {} : { level }),
    ...(greenBefore === undefined ? {} : { greenBefore }),
    ...(flaky.length === 0 ? {} : { flaky }),
  };
}

/** Whoever resumes or approves after a review has seen these files, so the same files do not cause a second review. */
function acceptedAfter(state: State, pause: Pause, evidence: Evidence): ProtectedMark | null {
  return pause.cause === 'review' ? (acceptedFiles(evidence) ?? state.protectedAccepted) : state.protectedAccepted;
}

function acceptedFiles(evidence: Evidence): ProtectedMark | null {
  const files = evidence.protectedFiles;
  return files?.manifest === undefined ? null : { hash: files.hash, manifest: files.manifest };
}

function ended(state: State, status: Status, outcome: Outcome, at: string): State {
  return { ...state, status, outcome, phase: 'ready', pause: null, runningSince: null, endedAt: at };
}
