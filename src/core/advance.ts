import type { Decision } from './decision.ts';
import { isFailureKnown } from './decide-parts.ts';
import { claimedBy, rowOf, spentAfter } from './decide-turn.ts';
import type { Event } from './event.ts';
import type { Evidence } from './evidence.ts';
import { MESSAGE_PREVIEW_CHARS_MAX } from './evidence.ts';
import { assert } from './fault.ts';
import { finishRuleOf } from './finish-rule.ts';
import type { Outcome, Pause, Plan, ProtectedMark, Spec, State, Status } from './loop.ts';
import { DEFAULT_LIMITS, limitsWith } from './loop.ts';
import { NO_PROGRESS_YET, startProgress } from './progress.ts';
import { runningMsAt, workedUntil } from './running-time.ts';
import type { Trouble } from './trouble.ts';

export type Step = {
  readonly event: Event;
  readonly evidence: Evidence;
  readonly decision: Decision;
  readonly at: string;
};

/** The state a loop is born with. Everything after it is `advance`. */
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

/** Pure: what the event taught us, then what the decision made of it. `abstain` is never committed, so it never comes here. */
export function advance(spec: Spec, state: State, step: Step): State {
  assert(step.decision.kind !== 'abstain', 'an abstention is not committed');
  const learned = learn(spec, withTime(spec, state, step), step);
  return { ...settle(spec, learned, step), updatedAt: step.at };
}

function withTime(spec: Spec, state: State, { event, evidence }: Step): State {
  const until = workedUntil(spec, state, event, evidence);
  return {
    ...state,
    runningMs: runningMsAt(state, until),
    runningSince: event.kind === 'worker-leased' || event.kind === 'session-resumed' ? evidence.clock : until,
  };
}

function learn(spec: Spec, state: State, step: Step): State {
  const { event, evidence } = step;
  switch (event.kind) {
    case 'baseline-taken':
      return learnBaseline(spec, state, evidence);
    case 'worker-leased':
      return {
        ...(state.phase === 'working' ? withFault(state, { code: 'driver-lost' }) : state),
        worker: event.worker,
      };
    case 'worker-released':
      return { ...state, worker: null };
    case 'watcher-began':
      return { ...state, watcher: event.worker };
    case 'watcher-ended': {
      const { watcher: _, ...rest } = state;
      return rest;
    }
    case 'iteration-began':
      return delivered(state);
    case 'turn-ended':
      return isWaiting(step.decision) ? learnWait(state, evidence) : learnTurn(state, event, evidence);
    case 'turn-failed':
      return event.failure.class === 'usage-limit'
        ? undelivered(state, { code: 'usage-limit' })
        : withFault(state, { code: 'turn-failed', detail: event.failure.detail });
    case 'turn-aborted':
      return undelivered(state, { code: 'turn-aborted' });
    case 'resume-requested':
      return {
        ...state,
        limits: limitsWith(state.limits, event.limits),
        faultsInRow: 0,
        progress: { ...state.progress, stalledHalves: 0 },
        ...(state.baseline === null ? { status: 'pending' as const, pause: null } : {}),
      };
    case 'steering-given':
      return { ...state, steering: [...state.steering, event.text] };
    case 'file-edited':
      return learnEdit(spec, state, event);
    case 'session-changed':
      return { ...state, session: event.session };
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
    case 'watcher-acted':
      return state;
  }
}

function learnBaseline(spec: Spec, state: State, evidence: Evidence): State {
  const baseline = evidence.checks ?? [];
  return {
    ...state,
    baseline,
    checks: baseline,
    finish: finishRuleOf(spec, baseline),
    criteriaMet: evidence.criteriaMet ?? [],
    progress: startProgress(evidence),
    protectedAccepted: acceptedFiles(evidence) ?? state.protectedAccepted,
  };
}

type OfSession = Event & { kind: 'user-spoke' | 'session-resumed' | 'driver-changed' | 'goal-announced' };

function learnInSession(state: State, event: OfSession, evidence: Evidence): State {
  switch (event.kind) {
    case 'user-spoke':
      return { ...state, repliesInRow: 0 };
    case 'session-resumed':
      return { ...(isFailureKnown(state) ? state : withFault(state, { code: 'session-lost' })), repliesInRow: 0 };
    case 'driver-changed': {
      const took = state.phase === 'working' ? undelivered(state, { code: 'driver-changed' }) : state;
      return {
        ...took,
        // Nobody tells an agent that begins afresh to wait for what another one did.
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

function learnEdit(spec: Spec, state: State, event: Event & { kind: 'file-edited' }): State {
  return {
    ...state,
    edits: { ...state.edits, ...event.edits },
    limits: limitsWith(state.limits, event.limits),
    // A lower count begins another loop (`isContinuation`), so what remains is a slip of the agent: it gives no iterations back.
    counted: Math.max(state.counted, event.counted),
    finish: state.baseline === null ? null : finishRuleOf({ ...spec, ...event.edits }, state.baseline),
  };
}

function learnTurn(state: State, event: Event & { kind: 'turn-ended' }, evidence: Evidence): State {
  const spent = spentAfter(state, evidence);
  return {
    ...state,
    phase: 'ready',
    counted: spent.counted,
    usage: spent.usage,
    faultsInRow: spent.faultsInRow,
    progress: spent.progress,
    checks: evidence.checks ?? state.checks,
    criteriaMet: evidence.criteriaMet ?? state.criteriaMet,
    claimed: claimedBy(state, evidence),
    steeringSent: [],
    lastMessage: (evidence.message?.preview ?? '').slice(-MESSAGE_PREVIEW_CHARS_MAX),
    lastTurn: event.mark === undefined ? null : { ...event.mark, decided: evidence.clock },
    repliesInRow: rowOf(state, evidence),
    lastTrouble: event.cut === undefined ? null : { code: event.cut },
  };
}

function learnWait(state: State, evidence: Evidence): State {
  const call = evidence.checks?.find((check) => check.call !== undefined)?.call;
  return {
    ...state,
    phase: 'ready',
    claimed: claimedBy(state, evidence),
    repliesInRow: rowOf(state, evidence),
    ...(call === undefined ? {} : { call }),
  };
}

function isWaiting(decision: Decision): boolean {
  return (decision.kind === 'continue' || decision.kind === 'pause') && decision.waiting === true;
}

function withoutWaiting(plan: Plan): Plan {
  const { waiting: _, ...rest } = plan;
  return rest;
}

/** A prompt to wait carries no messages: they are for the one after it. */
function delivered(state: State): State {
  return state.plan.waiting === true
    ? { ...state, phase: 'working' }
    : { ...state, phase: 'working', steeringSent: [...state.steeringSent, ...state.steering], steering: [] };
}

/** Its prompt has to be handed over again; the messages it carried wait again. */
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
      const { strategy, last, rerun, unmet } = decision;
      const plan: Plan = {
        strategy,
        last,
        rerun,
        ...(isWaiting(decision) ? { waiting: true as const } : {}),
        unmet,
        runningMs: state.runningMs,
      };
      const running = { ...state, status: 'running' as const, plan, pause: null, outcome: null, endedAt: null };
      // In a session the reply is the delivery, and the first prompt is the user's own; elsewhere `iteration-began` tells.
      return spec.driver === 'session' && (spec.delivery === undefined || event.kind === 'baseline-taken')
        ? {
            ...delivered(running),
            ...(event.kind === 'turn-ended' ? { repliesInRow: (state.repliesInRow ?? 0) + 1 } : {}),
          }
        : running;
    }
    case 'complete':
      return ended(state, 'completed', { kind: 'completed', verified: decision.verified }, at);
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

/** Whoever resumes or approves after a review has seen these files: the same ones are not held up twice. */
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
