import { isHeldUp } from './background-work.ts';
import { continuing, halting, spentNow } from './decide-parts.ts';
import type { Decision, Unmet } from './decision.ts';
import type { Event } from './event.ts';
import type { Evidence, Usage } from './evidence.ts';
import { NO_USAGE } from './evidence.ts';
import { besideDoubts, completing, reviewOfKept, roomUnmet } from './decide-room.ts';
import { evaluate, finishRuleOf } from './finish-rule.ts';
import type { Spending } from './guards.ts';
import { addUsage, dayHit, guardHit, limitsBlind } from './guards.ts';
import type { Spec, State } from './loop.ts';
import { judgeProgress } from './progress.ts';
import { runningMsAt, withoutDialogs } from './running-time.ts';
import { isSameHappening } from './same-report.ts';

type TurnEnded = Event & { kind: 'turn-ended' };

/** The agent wants to stop. The finish rule is evaluated before the limits: work finished on the last allowed iteration is finished. */
export function decideTurnEnded(spec: Spec, before: State, event: TurnEnded, evidence: Evidence): Decision {
  const state = evidence.roomBaseline === undefined ? before : { ...before, room: evidence.roomBaseline };
  const refusal = refuse(state, event, evidence);
  if (refusal !== null) return refusal;

  const finding = evaluate(state.finish ?? finishRuleOf(spec, state.baseline ?? []), spec, {
    claimed: hasClaimed(state, evidence),
    near: evidence.claim?.near,
    checks: evidence.checks ?? [],
    criteriaMet: evidence.criteriaMet ?? [],
    approvals: state.approvals,
  });
  const doubts = evidence.room === undefined ? [] : roomUnmet(spec, state, evidence);
  if (finding.value === true && doubts.length === 0 && evidence.room?.kind !== 'running') {
    return reviewDue(state, evidence) ?? completing(spec, state, finding.proofs);
  }

  const open = markRegressed(finding.unmet, state);
  const unmet = doubts.length > 0 ? [...besideDoubts(open, doubts), ...doubts] : open;
  const spent = spentAfter(state, evidence);
  return (
    humanDue(state, evidence, unmet, spent) ??
    waiting(spec, state, evidence, unmet) ??
    (doubts.length === 0 ? null : reviewOfKept(state, evidence.room, unmet, isLastTurn(state, evidence, spent))) ??
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

/** Every extra word costs money in each iteration and is shown to the user. An agent that makes no progress gets the full text again. */
function briefly(spec: Spec, state: State, { remembers }: Evidence, decision: Continue): Continue {
  const isKnown = state.firstPromptGiven === true || state.counted > 0;
  const isOurs = spec.driver === 'session' && spec.dialect === undefined && spec.continuation === undefined;
  const isBrief = remembers === true && isKnown && isOurs && decision.strategy !== 'diagnose';
  return isBrief ? { ...decision, brief: true } : decision;
}

/** A claim from before the wait still counts, because the agent is asked to do nothing else in between. */
export function hasClaimed(state: State, evidence: Pick<Evidence, 'claim'>): string | null {
  return evidence.claim?.made ?? (state.plan.waiting === true ? state.claimed : null);
}

/** The turn is not judged yet, so it is not counted. But time passes, so its limit applies, and the reply counts as a reply. */
function waiting(spec: Spec, state: State, evidence: Evidence, unmet: readonly Unmet[]): Decision | null {
  const isRunning = (evidence.checks ?? []).some((check) => check.unknown === 'still-running');
  if (!isRunning && evidence.room?.kind !== 'running') return null;
  const { strategy, last, rerun } = state.plan;
  const hit = guardHit(state.limits, {
    ...spentNow(state, withoutDialogs(state, evidence.clock, evidence)),
    counted: 0,
  });
  if (hit !== null) return halting(hit, unmet);
  const over = handedOver(spec, state, evidence, unmet);
  return over === null
    ? { kind: 'continue', iteration: state.counted + 1, strategy, last, delayMs: 0, rerun, waiting: true, unmet }
    : { ...over, waiting: true };
}

/** The counters as they will be once this turn is counted. */
export function spentAfter(state: State, evidence: Evidence): Spending {
  return {
    counted: state.counted + 1,
    runningMs: runningMsAt(state, withoutDialogs(state, evidence.clock, evidence)),
    usage: usageAfter(state, evidence),
    faultsInRow: 0,
    progress: judgeProgress(state, evidence),
  };
}

/** A total also covers turns that reported no cost. It never decreases. */
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
 * Two hooks report the same stop: see `isSameHappening`. An agent that repeats itself is counted each time, however fast it is and whether
 * or not its transcript grows. This relies on the host starting all hooks of a stop together; a host that may start them one by one names
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

/** Only if the message equals the previous one and the stops have no names does the start time of the report matter. */
export function repeatsLastTurn({ lastTurn }: State, event: Event): boolean {
  if (event.kind !== 'turn-ended' || event.mark === undefined || lastTurn === null) return false;
  const isNamed = event.mark.stop !== undefined && lastTurn.stop !== undefined;
  return !isNamed && event.mark.messageHash === lastTurn.messageHash;
}

function isLastTurn({ limits }: State, { day }: Evidence, spent: Spending): boolean {
  return guardHit(limits, spent) !== null || dayHit(day) !== null;
}

/** If checks pass but protected files changed and no clean room judged the work, a person decides. */
function reviewDue(state: State, evidence: Evidence): Decision | null {
  if (state.room?.kind === 'kept') return null;
  const files = evidence.protectedFiles;
  if (files === undefined || files.changed.length === 0 || files.hash === state.protectedAccepted?.hash) return null;
  return { kind: 'pause', cause: 'review', request: 'protected-files', question: files.changed.join('\n'), unmet: [] };
}

function humanDue(state: State, evidence: Evidence, unmet: readonly Unmet[], spent: Spending): Decision | null {
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

function limited(state: State, spent: Spending, { day }: Evidence, unmet: readonly Unmet[]): Decision | null {
  const hit = guardHit(state.limits, spent) ?? dayHit(day);
  return hit === null ? null : halting(hit, unmet);
}

/** A turn started by the user starts the count again; in some hosts a tool call does too. */
export function repliesInRowBefore(state: State, { sentBack, newRow }: Evidence): number {
  return sentBack === false || newRow === true ? 0 : (state.repliesInRow ?? 0);
}

/** The host would ignore the reply. Reporting that now keeps the loop; otherwise it would be cut off without notice. */
function handedOver(
  spec: Spec,
  state: State,
  evidence: Evidence,
  unmet: readonly Unmet[],
): (Decision & { kind: 'pause' }) | null {
  // An observed loop gives no replies.
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
