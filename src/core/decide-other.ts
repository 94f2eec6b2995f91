import type { AbstainReason, Decision, Unmet } from './decision.ts';
import { decideFailure } from './decide-failure.ts';
import { continuing, halting, interrupted, isFailureKnown, spentNow } from './decide-parts.ts';
import type { Event } from './event.ts';
import type { ClockReading, Evidence } from './evidence.ts';
import { completing } from './decide-room.ts';
import { evaluate, finishRuleOf } from './finish-rule.ts';
import { guardHit } from './guards.ts';
import type { CancelCause, Spec, State } from './loop.ts';
import { isEnded, limitsWith } from './loop.ts';
import { countedUntil } from './running-time.ts';

type OtherEvent = Exclude<Event, { kind: 'turn-ended' }>;

/** Every event except the end of a turn. Most events are ends of turns, so the hook loads this only when it is needed. */
export function decideOther(spec: Spec, state: State, event: OtherEvent, evidence: Evidence): Decision {
  const until = countedUntil(spec, state, event, evidence);
  switch (event.kind) {
    case 'loop-started':
      return abstain('not-awaited');
    case 'baseline-taken':
      return state.status === 'pending' ? decideBaseline(spec, state, evidence, until) : abstain('not-awaited');
    case 'worker-leased':
      // In a session the host drives. A second worker would make the loop ignore every stop of that session.
      return spec.driver === 'session' ? abstain('not-awaited') : decideLease(state, evidence, until);
    case 'worker-released':
      return state.worker?.id === event.worker ? { kind: 'record' } : abstain('not-awaited');
    case 'watcher-began':
    case 'watcher-acted':
    case 'watcher-ended':
      return decideWatch(spec, state, event, evidence);
    case 'iteration-began':
      return decideDelivery(state, event);
    case 'turn-failed':
      return isCurrentTurn(state, event) ? decideFailure(spec, state, event, evidence) : abstain('not-awaited');
    case 'turn-aborted':
      return isCurrentTurn(state, event) ? { kind: 'pause', cause: 'aborted' } : abstain('not-awaited');
    case 'permission-asked':
    case 'agent-rested':
      return decideStandstill(spec, state, event.kind);
    case 'pause-requested':
      return decidePause(state, event);
    case 'resume-requested':
      return decideResume(state, event, until, evidence.holderAlive === true);
    case 'cancel-requested':
      return isEnded(state) ? abstain('ended') : { kind: 'cancel', ...causeOf(event) };
    case 'session-changed':
      // A halted loop can be resumed, so it can also be moved.
      return isEnded(state) && state.status !== 'halted' ? abstain('ended') : { kind: 'record' };
    case 'session-left':
      return isEnded(state) || state.sessionLeft === true ? abstain('not-awaited') : { kind: 'record' };
    case 'steering-given':
      return isEnded(state) ? abstain('ended') : { kind: 'record' };
    case 'attempt-refused':
      return decideAttempt(state);
    case 'file-edited':
      return isEnded(state) ? abstain('ended') : decideEdit(spec, event);
    case 'approval-given':
    case 'approval-refused':
      return decideAnswer(spec, state, event, { evidence, until });
    case 'user-spoke':
    case 'session-resumed':
    case 'driver-changed':
    case 'goal-announced':
      return decideInSession(spec, state, event, { evidence, until });
    case 'outcome-shown':
    case 'move-shown':
      return decideShown(state, event.kind);
    case 'wait-ended':
      return decideWaitEnded(state, event, evidence, until);
    case 'tampering-found':
      // Even after the loop has ended: forged proof is no proof.
      return { kind: 'halt', guard: 'tampered', limit: null, actual: event.revision, unmet: state.plan.unmet };
  }
}

function causeOf({ because }: { readonly because?: CancelCause | undefined }): { readonly because?: CancelCause } {
  return because === undefined ? {} : { because };
}

/** A status in the file completes the loop, unless the user asked for checks beside the document's own. */
function decideEdit({ checks, dialect }: Spec, { gone, because }: Event & { kind: 'file-edited' }): Decision {
  if (!gone) return { kind: 'record' };
  if (because !== 'file-completed') return { kind: 'cancel', ...causeOf({ because }) };
  return checks.every(({ name }) => dialect?.checks?.includes(name))
    ? { kind: 'complete', verified: false, proofs: [{ kind: 'file-status', name: 'status' }] }
    : { kind: 'cancel', because: 'file-switched-off' };
}

/** Only for an outcome that has not been shown yet. */
function decideShown({ unseen, movedFrom }: State, kind: 'outcome-shown' | 'move-shown'): Decision {
  const isDue = kind === 'outcome-shown' ? unseen === true : movedFrom !== undefined;
  return isDue ? { kind: 'record' } : abstain('not-awaited');
}

/** Beside a loop that only observes, a session rests as often as its user likes. */
function decideStandstill(spec: Spec, state: State, kind: 'permission-asked' | 'agent-rested'): Decision {
  const isWorking = spec.driver === 'session' && state.status === 'running' && state.phase === 'working';
  const isKnown = kind === 'agent-rested' && (spec.observe === true || state.resting !== undefined);
  return isWorking && !isKnown ? { kind: 'record' } : abstain('not-awaited');
}

type OfSession = Event & { kind: 'user-spoke' | 'session-resumed' | 'driver-changed' | 'goal-announced' };

/** Events between the turns of a loop that its host drives. */
function decideInSession(
  spec: Spec,
  state: State,
  event: OfSession,
  { evidence, until }: { readonly evidence: Evidence; readonly until: ClockReading },
): Decision {
  if (spec.driver !== 'session') return abstain('not-awaited');
  switch (event.kind) {
    case 'user-spoke':
      return decideUserSpoke(state, until);
    case 'session-resumed':
      if (state.status !== 'running' || state.phase !== 'working')
        return abstain(isEnded(state) ? 'ended' : 'not-awaited');
      // A turn left open by a crash is a fault, not an iteration.
      return isFailureKnown(state) ? continueWithinLimits(state, until) : interrupted(state, until, 0);
    case 'driver-changed':
      // A halted loop can be resumed, so it can also be moved.
      return isEnded(state) && state.status !== 'halted' ? abstain('ended') : { kind: 'record' };
    case 'goal-announced':
      return decideGoal(spec, state, evidence);
  }
}

/** The host would believe the agent that the host's own goal is met, so the loop's visible checks are run first. Nothing is counted. */
function decideGoal(spec: Spec, state: State, evidence: Evidence): Decision {
  if (state.status !== 'running') return abstain(isEnded(state) ? 'ended' : 'not-running');
  const unmet = spec.checks.flatMap((check): Unmet[] => {
    const result = evidence.checks?.find((each) => each.name === check.name)?.result ?? 'not-run';
    return check.holdout || result === 'passed' ? [] : [{ kind: 'check', name: check.name, result }];
  });
  return unmet.length === 0 ? { kind: 'record' } : { kind: 'refuse', unmet };
}

/** Many pauses only wait for the user to write something. A pause that needs a decision from the user stays. */
function decideUserSpoke(state: State, until: ClockReading): Decision {
  if (isEnded(state)) return abstain('ended');
  if (state.status !== 'paused') return state.status === 'running' ? { kind: 'record' } : abstain('not-running');
  switch (state.pause?.cause) {
    case 'aborted':
    case 'blocked':
    case 'failed':
    case 'trouble':
    case 'usage-limit':
    case 'handed-over':
      return continueWithinLimits(state, until);
    case 'user':
    case 'approval':
    case 'review':
    case 'usage-unknown':
    case undefined:
      return abstain('not-running');
  }
}

function decideBaseline(spec: Spec, state: State, evidence: Evidence, until: ClockReading): Decision {
  const checks = evidence.checks ?? [];
  const finding = evaluate(finishRuleOf(spec, checks), spec, {
    claimed: null,
    checks,
    criteriaMet: evidence.criteriaMet ?? [],
    approvals: [],
  });
  return continuing(state, { unmet: finding.unmet, delayMs: 0, rerun: false, spent: spentNow(state, until) });
}

function decideLease(state: State, evidence: Evidence, until: ClockReading): Decision {
  if (isEnded(state)) return abstain('ended');
  if (state.worker !== null && evidence.holderAlive !== false) return abstain('held-by-other');
  // A turn left open by a dead worker is a fault, not an iteration.
  if (state.status !== 'running' || state.phase !== 'working') return { kind: 'record' };
  return interrupted(state, until, 0);
}

function decidePause(state: State, { trouble }: Event & { kind: 'pause-requested' }): Decision {
  if (isEnded(state)) return abstain('ended');
  // A pause that would end by itself becomes the user's own pause.
  const isTimed = state.pause?.resumeAt !== undefined && trouble === undefined;
  if (state.status === 'paused' && !isTimed) return abstain('not-running');
  return trouble === undefined
    ? { kind: 'pause', cause: 'user' }
    : { kind: 'pause', cause: 'trouble', question: trouble };
}

/** A halted loop can be resumed, so an attempt to do so is recorded too. The maximum keeps a persistent agent from filling the journal. */
function decideAttempt(state: State): Decision {
  if (isEnded(state) && state.status !== 'halted') return abstain('ended');
  return (state.attemptsRefused ?? 0) >= ATTEMPTS_RECORDED_MAX ? abstain('duplicate') : { kind: 'record' };
}

type WatcherEvent = Event & { kind: 'watcher-began' | 'watcher-acted' | 'watcher-ended' };

/** Only a paused loop is watched, by one process at a time. A process that replaces a dead one may find that the answer has arrived meanwhile. */
function decideWatch(spec: Spec, state: State, event: WatcherEvent, evidence: Evidence): Decision {
  if (isEnded(state)) return abstain('ended');
  if (event.kind !== 'watcher-began')
    return state.watcher?.id === event.worker ? { kind: 'record' } : abstain('not-awaited');
  if (spec.driver !== 'session') return abstain('not-awaited');
  const replacesDead = state.watcher !== undefined && evidence.holderAlive === false;
  if (state.status !== 'paused' && !replacesDead) return abstain('not-paused');
  return state.watcher === undefined || replacesDead ? { kind: 'record' } : abstain('held-by-other');
}

function decideDelivery(state: State, event: Event & { kind: 'iteration-began' }): Decision {
  if (state.status !== 'running') return abstain(isEnded(state) ? 'ended' : 'not-running');
  const awaited =
    state.phase === 'ready' && event.iteration === state.counted + 1 && (state.worker?.id ?? null) === event.worker;
  return awaited ? { kind: 'record' } : abstain('not-awaited');
}

/** Attempts recorded per loop; later ones are refused without an entry. */
const ATTEMPTS_RECORDED_MAX = 20;

/**
 * A person may raise a limit; the program never does. A stalled or failing loop starts with a clean slate, because someone has looked at
 * it.
 */
function decideResume(
  state: State,
  event: Event & { kind: 'resume-requested' },
  until: ClockReading,
  isDriven: boolean,
): Decision {
  // The loop is open but its driver is gone. Only changed limits are worth an entry; the next driver's lease does the rest.
  const isLeft = !isEnded(state) && state.status !== 'paused' && event.limits !== undefined && !isDriven;
  if (state.status !== 'paused' && state.status !== 'halted' && !isLeft) {
    return abstain(isEnded(state) ? 'ended' : 'not-paused');
  }
  const limits = limitsWith(state.limits, event.limits);
  const spent = { ...spentNow(state, until), faultsInRow: 0, progress: { ...state.progress, stalledHalves: 0 } };
  if (guardHit(limits, spent) !== null) return abstain('limit-not-raised');
  // Paused before its baseline was taken: the loop is pending again, and the driver takes the baseline first.
  if (state.baseline === null || isLeft) return { kind: 'record' };
  const { unmet, rerun } = state.plan;
  const counted = event.counted ?? state.counted;
  return continuing({ ...state, limits, counted }, { unmet, delayMs: 0, rerun, spent: { ...spent, counted } });
}

/**
 * An answer to a request that is not pending (confirmed by `approvalDue`) is kept for later and ends no pause. If another request is still
 * open, the loop stays paused for that one.
 */
function decideAnswer(
  spec: Spec,
  state: State,
  { kind, request }: Event & { kind: 'approval-given' | 'approval-refused' },
  { evidence, until }: { readonly evidence: Evidence; readonly until: ClockReading },
): Decision {
  const { approvalDue: due } = evidence;
  if (state.status !== 'paused' || state.pause?.request !== request)
    return due?.request === request && !isEnded(state) ? { kind: 'record' } : abstain('not-awaited');
  const decision =
    kind === 'approval-given' ? decideApproval(spec, state, evidence, until) : continueWithinLimits(state, until);
  if (decision.kind !== 'continue' || due === undefined || due.request === request) return decision;
  return { kind: 'pause', cause: 'approval', ...due, unmet: decision.unmet };
}

function decideApproval(spec: Spec, state: State, evidence: Evidence, until: ClockReading): Decision {
  const { request = '', cause, work } = state.pause ?? {};
  if (work !== undefined && work !== evidence.work) return abstain('work-changed');
  // Accepting the work as it is also approves the finish.
  const isWork = cause === 'review' && request !== 'protected-files';
  const finding = evaluate(state.finish ?? finishRuleOf(spec, state.baseline ?? []), spec, {
    claimed: state.claimed,
    checks: state.checks,
    criteriaMet: state.criteriaMet,
    approvals: [...state.approvals, request, ...(isWork ? ['finish'] : [])],
  });
  if (finding.value !== true) return continueWithinLimits(state, until, finding.unmet);
  const proofs =
    cause === 'review' ? [...finding.proofs, { kind: 'approval', name: request } as const] : finding.proofs;
  return completing(spec, state, proofs, isWork);
}

function decideWaitEnded(
  state: State,
  { because }: Event & { kind: 'wait-ended' },
  evidence: Evidence,
  until: ClockReading,
): Decision {
  // The agent of a session starts its failed turn again.
  if (state.status === 'running' && state.resting !== undefined) return { kind: 'record' };
  if (state.status !== 'paused' || state.pause?.resumeAt === undefined) return abstain('not-awaited');
  const isOver = because === 'agent-works' || evidence.clock.wallMs >= state.pause.resumeAt;
  return isOver ? continueWithinLimits(state, until) : abstain('wait-not-over');
}

/** After a pause: checks the limits before another iteration is granted. */
function continueWithinLimits(state: State, until: ClockReading, unmet: readonly Unmet[] = state.plan.unmet): Decision {
  const spent = spentNow(state, until);
  const hit = guardHit(state.limits, spent);
  if (hit !== null) return halting(hit, unmet);
  const { rerun, waiting } = state.plan;
  return {
    ...continuing(state, { unmet, delayMs: 0, rerun, spent }),
    ...(waiting === undefined ? {} : { waiting }),
  };
}

function isCurrentTurn(
  state: State,
  event: { readonly iteration: number | null; readonly worker: string | null },
): boolean {
  if (state.status !== 'running' || state.phase !== 'working') return false;
  return (
    (event.iteration === null || event.iteration === state.counted + 1) && (state.worker?.id ?? null) === event.worker
  );
}

function abstain(because: AbstainReason): Decision {
  return { kind: 'abstain', because };
}
