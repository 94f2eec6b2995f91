import { isHeldUp } from './background-work.ts';
import { continuing, halting, spentNow } from './decide-parts.ts';
import type { Decision, Unmet } from './decision.ts';
import type { Event } from './event.ts';
import type { Evidence, Usage } from './evidence.ts';
import { NO_USAGE } from './evidence.ts';
import { completing, isKeptByAgent, reviewOf, roomUnmet } from './decide-room.ts';
import { evaluate, finishRuleOf } from './finish-rule.ts';
import type { Spent } from './guards.ts';
import { addUsage, dayHit, guardHit, limitsBlind } from './guards.ts';
import type { Spec, State } from './loop.ts';
import { judgeProgress } from './progress.ts';
import { runningMsAt, withoutWaits } from './running-time.ts';
import { isSameHappening } from './same-report.ts';

type TurnEnded = Event & { kind: 'turn-ended' };

/** The agent wants to stop. The finish rule is evaluated before the limits: done on the last allowed iteration is done. */
export function decideTurnEnded(spec: Spec, before: State, event: TurnEnded, evidence: Evidence): Decision {
  const state = evidence.roomBaseline === undefined ? before : { ...before, room: evidence.roomBaseline };
  const refusal = refuse(state, event, evidence);
  if (refusal !== null) return refusal;

  const finding = evaluate(state.finish ?? finishRuleOf(spec, state.baseline ?? []), spec, {
    claimed: claimedBy(state, evidence),
    near: evidence.claim?.near,
    checks: evidence.checks ?? [],
    criteriaMet: evidence.criteriaMet ?? [],
    approvals: state.approvals,
  });
  const doubts = evidence.room === undefined ? [] : roomUnmet(spec, state, evidence);
  if (finding.value === true && doubts.length === 0 && evidence.room?.kind !== 'running') {
    return reviewDue(state, evidence) ?? completing(spec, state, finding.proofs);
  }

  const unmet = doubts.length > 0 ? doubts : markRegressed(finding.unmet, state);
  const spent = spentAfter(state, evidence);
  return (
    humanDue(state, evidence, unmet, spent) ??
    waiting(spec, state, evidence, unmet) ??
    (doubts.length === 0 ? null : reviewOfKept(state, evidence, unmet, spent)) ??
    limited(state, spent, evidence, unmet) ??
    handedOver(spec, state, evidence, unmet) ??
    briefly(
      spec,
      state,
      evidence,
      continuing(state, { unmet, delayMs: spec.timing.pauseBetweenMs, rerun: false, spent }),
    )
  );
}

type Continue = Decision & { kind: 'continue' };

/** Every additional word costs money at each iteration and is shown to the user. An agent that makes no progress gets everything again. */
function briefly(spec: Spec, state: State, { remembers }: Evidence, decision: Continue): Continue {
  const isKnown = state.firstPromptGiven === true || state.counted > 0;
  const isOurs = spec.driver === 'session' && spec.dialect === undefined && spec.continuation === undefined;
  const isBrief = remembers === true && isKnown && isOurs && decision.strategy !== 'diagnose';
  return isBrief ? { ...decision, brief: true } : decision;
}

/** A claim made before the agent was told to wait still counts: the agent is asked to do nothing else in between. */
export function claimedBy(state: State, evidence: Pick<Evidence, 'claim'>): string | null {
  return evidence.claim?.made ?? (state.plan.waiting === true ? state.claimed : null);
}

/** The turn is not judged yet, so it is not counted. But time passes and its limit applies, and a reply to wait counts as a reply. */
function waiting(spec: Spec, state: State, evidence: Evidence, unmet: readonly Unmet[]): Decision | null {
  const isRunning = (evidence.checks ?? []).some((check) => check.unknown === 'still-running');
  if (!isRunning && evidence.room?.kind !== 'running') return null;
  const { strategy, last, rerun } = state.plan;
  const hit = guardHit(state.limits, { ...spentNow(state, withoutWaits(state, evidence.clock, evidence)), counted: 0 });
  if (hit !== null) return halting(hit, unmet);
  const over = handedOver(spec, state, evidence, unmet);
  return over === null
    ? { kind: 'continue', iteration: state.counted + 1, strategy, last, delayMs: 0, rerun, waiting: true, unmet }
    : { ...over, waiting: true };
}

/** What the counters will say once this turn is counted. */
export function spentAfter(state: State, evidence: Evidence): Spent {
  return {
    counted: state.counted + 1,
    runningMs: runningMsAt(state, withoutWaits(state, evidence.clock, evidence)),
    usage: usageAfter(state, evidence),
    faultsInRow: 0,
    progress: judgeProgress(state, evidence),
  };
}

/** A total covers the turns that reported no cost. It never decreases. */
function usageAfter({ usage }: State, { usage: turn = NO_USAGE, costTotalUsd }: Evidence): Usage {
  const sum = addUsage(usage, turn);
  if (costTotalUsd === undefined) return sum;
  return { ...sum, costUsd: Math.max(costTotalUsd, usage.costUsd === 'unknown' ? 0 : usage.costUsd) };
}

function refuse(state: State, event: TurnEnded, evidence: Evidence): Decision | null {
  const current = event.iteration === null || event.iteration === state.counted + 1;
  if (state.phase !== 'working' || !current || (state.worker?.id ?? null) !== event.worker)
    return { kind: 'abstain', because: 'not-awaited' };
  if (isReportedAgain(state, event, evidence)) return { kind: 'abstain', because: 'duplicate' };
  if (evidence.userFirst === true) return { kind: 'abstain', because: 'user-first' };
  return isHeldUp(state, evidence) ? { kind: 'abstain', because: 'background-work' } : null;
}

/** Used when the start time of the report is unknown: two reports of one stop arrive at nearly the same time. */
const SAME_STOP_MS = 2000;

/**
 * Two hooks report the same stop: see `isSameHappening`. An agent that repeats itself is counted each time, however fast it is and whether or
 * not its transcript grows. This relies on the host starting all hooks of a stop together; a host that may start them one after the other names
 * its stops (`shaped.ts`).
 */
function isReportedAgain(state: State, event: TurnEnded, { clock, reporterBeganMs }: Evidence): boolean {
  const { lastTurn } = state;
  const { mark } = event;
  if (mark === undefined || lastTurn === null) return false;
  if (mark.stop !== undefined && lastTurn.stop !== undefined) return mark.stop === lastTurn.stop;
  const decided = lastTurn.decided ?? state.runningSince;
  if (!repeatsLastTurn(state, event) || decided?.boot !== clock.boot) return false;
  if (reporterBeganMs !== undefined)
    return isSameHappening(
      { words: lastTurn.messageHash, answered: decided },
      { words: mark.messageHash, began: { ...clock, monotonicMs: reporterBeganMs } },
    );
  const isSameLength = mark.transcriptBytes === lastTurn.transcriptBytes;
  return isSameLength && clock.monotonicMs - decided.monotonicMs < SAME_STOP_MS;
}

/** The same message as the last turn, and no name to tell the stops apart: only then does it matter when the report began. */
export function repeatsLastTurn({ lastTurn }: State, event: Event): boolean {
  if (event.kind !== 'turn-ended' || event.mark === undefined || lastTurn === null) return false;
  const isNamed = event.mark.stop !== undefined && lastTurn.stop !== undefined;
  return !isNamed && event.mark.messageHash === lastTurn.messageHash;
}

/** An agent that does not change its work, or has no iteration left to do so, is left to a person to judge. */
function reviewOfKept(state: State, evidence: Evidence, unmet: readonly Unmet[], spent: Spent): Decision | null {
  const isLast = guardHit(state.limits, spent) !== null || dayHit(evidence.day) !== null;
  return isKeptByAgent(state, unmet, isLast) ? reviewOf(evidence.room, unmet) : null;
}

/** If checks pass but protected files changed and no clean room judged the work, a person decides. */
function reviewDue(state: State, evidence: Evidence): Decision | null {
  if (state.room?.kind === 'kept') return null;
  const files = evidence.protectedFiles;
  if (files === undefined || files.changed.length === 0 || files.hash === state.protectedAccepted?.hash) return null;
  return { kind: 'pause', cause: 'review', request: 'protected-files', question: files.changed.join('\n'), unmet: [] };
}

function humanDue(state: State, evidence: Evidence, unmet: readonly Unmet[], spent: Spent): Decision | null {
  const blocked = evidence.claim?.blocked ?? null;
  if (blocked !== null) return { kind: 'pause', cause: 'blocked', question: blocked, unmet };
  const due = evidence.approvalDue;
  // After the last allowed turn an approval would change nothing.
  if (due !== undefined && limited(state, spent, evidence, unmet) === null)
    return { kind: 'pause', cause: 'approval', ...due, unmet };
  if (evidence.room?.kind === 'running') return null;
  const onlyApproval = unmet.length > 0 && unmet.every((what) => what.kind === 'approval') ? unmet[0] : undefined;
  if (onlyApproval?.kind === 'approval') {
    const changed = evidence.protectedFiles?.changed ?? [];
    const question = changed.length > 0 ? { question: changed.join('\n') } : {};
    const work = evidence.room?.kind === 'judged' ? { work: evidence.room.work } : {};
    return { kind: 'pause', cause: 'approval', request: onlyApproval.request, ...question, ...work, unmet };
  }
  return limitsBlind(state.limits, spent.usage) ? { kind: 'pause', cause: 'usage-unknown', unmet } : null;
}

function limited(state: State, spent: Spent, { day }: Evidence, unmet: readonly Unmet[]): Decision | null {
  const hit = guardHit(state.limits, spent) ?? dayHit(day);
  return hit === null ? null : halting(hit, unmet);
}

/** A turn started by the user starts a new row; in some hosts a tool call does too. */
export function repliesInRowBefore(state: State, { sentBack, newRow }: Evidence): number {
  return sentBack === false || newRow === true ? 0 : (state.repliesInRow ?? 0);
}

/** The host would ignore the reply: better to report that now and keep the loop than to be cut off without notice. */
function handedOver(
  spec: Spec,
  state: State,
  evidence: Evidence,
  unmet: readonly Unmet[],
): (Decision & { kind: 'pause' }) | null {
  // A loop that only observes gives no replies.
  if (spec.driver !== 'session' || spec.observe === true) return null;
  const isRowFull =
    evidence.repliesInRowMax !== undefined && repliesInRowBefore(state, evidence) >= evidence.repliesInRowMax;
  if (!isRowFull && evidence.contextFull !== true) return null;
  return { kind: 'pause', cause: 'handed-over', request: isRowFull ? 'replies-in-row' : 'context-full', unmet };
}

/** Marks checks that passed before the agent began and fail now: "you broke it" is different news from "still red". */
function markRegressed(unmet: readonly Unmet[], state: State): readonly Unmet[] {
  const green = new Set((state.baseline ?? []).filter((check) => check.result === 'passed').map((check) => check.name));
  return unmet.map((what) =>
    what.kind === 'check' && what.result === 'failed' && green.has(what.name) ? { ...what, regressed: true } : what,
  );
}
