import { isKept } from '../core/decide-room.ts';
import type { AbstainReason, Decision, Proof, Unmet } from '../core/decision.ts';
import type { CutReason, Event } from '../core/event.ts';
import type { CheckAnswer } from '../core/evidence.ts';
import type { CancelCause, Guard, Level, Limit, Limits, Outcome, Pause, Spec, State } from '../core/loop.ts';
import { signText } from '../core/prompt-room.ts';
import type { RoomDoubt } from '../core/room.ts';
import { troubleText } from '../core/trouble.ts';
import { durationText, limitDurationText, momentText } from './duration.ts';
import type { DialectOfLoop } from './iteration-count.ts';
import { shownIteration, shownMaximum, shownUsed } from './iteration-count.ts';
import { oneLine, printable } from './printable.ts';
import { reviewReason } from './review-words.ts';
import { LEVEL_WORDS, lostWords } from './room-words.ts';
import { unclaimedWords } from './unclaimed.ts';

const NAMES_MAX = 5;
const REASON_CHARS_MAX = 300;

/** The decision and its reason, as one sentence without a full stop. `dialect`: that of the loop it was made for. */
export function decisionSentence(decision: Decision, dialect: DialectOfLoop): string {
  switch (decision.kind) {
    case 'continue':
      return continueSentence(decision, dialect);
    case 'complete':
      return completedSentence(decision);
    case 'halt':
      return haltedSentence(decision, decision.unmet, dialect);
    case 'pause':
      return pausedSentence(decision);
    case 'cancel':
      return cancelledSentence(decision.because);
    case 'refuse':
      return `refused: ${unmetSentence(decision.unmet)}`;
    case 'record':
      return 'recorded; nothing to decide';
    case 'abstain':
      return `no action: ${ABSTAIN_WORDS[decision.because]}`;
  }
}

/** Before the first iteration no agent can have claimed anything, so a missing claim is not a reason to begin it. */
export function atStart(event: Event, decision: Decision): Decision {
  if (event.kind !== 'baseline-taken' || decision.kind !== 'continue') return decision;
  return { ...decision, unmet: decision.unmet.filter(({ kind }) => kind !== 'claim') };
}

function pausedSentence(decision: Decision & { kind: 'pause' }): string {
  const waiting = decision.waiting === true ? '; its checks are still running' : '';
  return `paused: ${pauseReason(decision, { plan: { unmet: decision.unmet ?? [] } })}${waiting}`;
}

type OutcomeOf = { readonly spec: Pick<Spec, 'dialect'>; readonly state: State };

/** How a loop ended, or why it waits. */
export function outcomeSentence({ spec, state }: OutcomeOf): string {
  const { outcome } = state;
  if (outcome === null) return state.pause === null ? state.status : `paused: ${pauseReason(state.pause, state)}`;
  switch (outcome.kind) {
    case 'completed':
      return outcome.verified
        ? `completed, verified${levelWords(levelOf(state))}${passedSuffix(state)}${flakySuffix(outcome.flaky)}`
        : unverifiedWords(outcome.greenBefore);
    case 'halted':
      return `${haltedSentence(outcome, state.plan.unmet, spec.dialect)}${lastTrouble(state, outcome.guard)}`;
    case 'cancelled':
      return cancelledSentence(outcome.because);
  }
}

/** The same after the name of the loop: "is paused: …", "was cancelled". */
export function stateSentence(loop: OutcomeOf): string {
  return `${loop.state.outcome?.kind === 'cancelled' ? 'was' : 'is'} ${outcomeSentence(loop)}`;
}

export function cancelledSentence(because: CancelCause | undefined): string {
  switch (because) {
    case undefined:
      return 'cancelled';
    case 'file-removed':
      return 'cancelled: its file was removed';
    case 'file-switched-off':
      return 'cancelled: switched off in its file';
    case 'start-failed':
      return 'cancelled: it could not start';
    case 'session-ended':
      return 'cancelled: its session ended';
  }
}

function lastTrouble({ lastTrouble: trouble }: State, guard: Guard): string {
  return guard === 'faults-in-row' && trouble !== null
    ? `; the last one: ${oneLine(troubleText(trouble), REASON_CHARS_MAX)}`
    : '';
}

function unverifiedWords(greenBefore: 'room' | 'tree' | undefined): string {
  if (greenBefore === undefined) return "completed, unverified (only the agent's word)";
  return 'completed, unverified (the checks passed before the work too: nothing broke, but no check proves the goal)';
}

function passedSuffix(state: State): string {
  const passed = state.checks.filter((check) => check.result === 'passed').map((check) => check.name);
  const approved = state.approvals.length > 0 ? ['approved by you'] : [];
  const parts = [
    ...(passed.length > 0 ? [`${counted(passed.length, 'check')} passed: ${names(passed)}`] : []),
    ...approved,
  ];
  return parts.map((part) => `; ${part}`).join('');
}

/** Without a clean room, passed checks prove only the work tree. A completion that depends only on approvals then has no level. */
export function levelOf({ outcome, checks }: Pick<State, 'outcome' | 'checks'>): Level | undefined {
  if (outcome?.kind !== 'completed' || !outcome.verified) return undefined;
  return outcome.level ?? (checks.some((check) => check.result === 'passed') ? 'tree' : undefined);
}

/** How a completion was verified, to follow "verified". */
function levelWords(level: Level | undefined): string {
  return level === undefined ? '' : ` (${LEVEL_WORDS[level]})`;
}

function flakySuffix(flaky: readonly string[] | undefined): string {
  return flaky === undefined ? '' : `; flaky, passed only when run again: ${names(flaky)}`;
}

function completedSentence({ verified, level, greenBefore, proofs }: Decision & { kind: 'complete' }): string {
  const words = proofs.map((proof) => PROOF_WORDS[proof.kind](oneLine(proof.name, REASON_CHARS_MAX)));
  const has = (kind: Proof['kind']): boolean => proofs.some((proof) => proof.kind === kind);
  const what = has('file-moved') ? 'moved file' : has('file-status') ? 'status' : null;
  const unverified = what === null ? unverifiedWords(greenBefore) : `completed, unverified (a ${what} proves no work)`;
  const how = levelWords(level ?? (has('check') ? 'tree' : undefined));
  return `${verified ? `completed, verified${how}` : unverified}: ${words.join(', ')}`;
}

/** What a person was asked to approve. */
export function requestWords(request: string): string {
  if (request === 'finish') return 'the finish';
  return request === 'protected-files' || request === 'work' || request.startsWith('work:')
    ? 'this work'
    : oneLine(request, REASON_CHARS_MAX);
}

const PROOF_WORDS: Readonly<Record<Proof['kind'], (name: string) => string>> = {
  check: (name) => `check "${name}" passed`,
  approval: (name) => `you approved ${requestWords(name)}`,
  claim: (name) => `the agent claimed ${name}`,
  criterion: (name) => `the agent ticked "${name}"`,
  'file-moved': (name) => `the file was moved (${name})`,
  'file-status': () => 'its file says that it is completed',
};

function continueSentence(decision: Decision & { kind: 'continue' }, dialect: DialectOfLoop): string {
  if (decision.waiting === true) return `checks are still running: the agent waits for them`;
  const iteration = shownIteration(decision.iteration, dialect);
  const verb = decision.iteration === 1 ? 'begin' : 'continue';
  const what = decision.rerun ? `run iteration ${iteration} again` : `${verb} with iteration ${iteration}`;
  const notes = [
    ...(decision.last ? ['the last one allowed'] : []),
    ...(decision.strategy === 'nudge' ? ['little progress: the prompt points it out'] : []),
    ...(decision.strategy === 'diagnose' ? ['no progress: the prompt asks to diagnose first'] : []),
    ...(decision.delayMs > 0 ? [`after ${durationText(decision.delayMs)}`] : []),
  ];
  const why = unmetSentence(decision.unmet);
  return `${what}${notes.length > 0 ? ` (${notes.join('; ')})` : ''}${why === '' ? '' : `: ${why}`}`;
}

type Halted = Pick<Outcome & { kind: 'halted' }, 'guard' | 'limit' | 'actual' | 'detail'>;

/** `halted: 20 of 20 iterations used, 2 checks still fail: unit, lint` */
function haltedSentence(halted: Halted, unmet: readonly Unmet[], dialect: DialectOfLoop): string {
  const left = unmetSentence(unmet);
  return `halted: ${guardPhrase(halted, dialect)}${left === '' ? '' : `, ${left}`}`;
}

function guardPhrase({ guard, limit, actual, detail }: Halted, dialect: DialectOfLoop): string {
  const used = actual ?? 0;
  const most = limit ?? 0;
  switch (guard) {
    case 'iterations-max':
      return used > most
        ? `${shownUsed(used, dialect)} iterations used, and the maximum is ${shownUsed(most, dialect)}`
        : `${shownUsed(used, dialect)} of ${shownUsed(most, dialect)} iterations used`;
    case 'duration-max':
      return `${durationText(used)} of ${limitDurationText(most)} running time used`;
    case 'cost-max':
      return `${dollars(used)} of ${dollars(most)} spent`;
    case 'tokens-max':
      return `${used} of ${most} tokens used`;
    case 'faults-in-row':
      return `${counted(used, 'agent fault')} in a row (${most} allowed)`;
    case 'no-progress':
      return `no progress in ${counted(Math.floor(used), 'iteration')} (${most} allowed)`;
    case 'day-max':
      return `${Math.min(used, most)} of ${most} turns used today by the state files of this project (raise it: tireless install HOST --dialect NAME --max-day-turns N, or tireless hook --max-day-turns N)`;
    case 'tampered':
      return `someone else wrote revision ${used} of its journal as the driver, so nothing since then is proven`;
    case 'agent-failed':
      return `the agent failed and would fail again: ${oneLine(detail ?? 'it gave no reason', REASON_CHARS_MAX)}`;
  }
}

/** What is still missing, in words; empty if nothing is. */
export function unmetSentence(unmet: readonly Unmet[]): string {
  const checks = unmet.filter((what) => what.kind === 'check');
  const broken = checks.filter((what) => what.regressed === true).map((what) => what.name);
  const hidden = checks.filter((what) => what.result === 'failed' && what.holdout === true).map((what) => what.name);
  const failing = checks
    .filter((what) => what.result === 'failed' && what.regressed !== true && what.holdout !== true)
    .map((what) => what.name);
  const unknown = checks.filter((what) => what.result === 'unknown').map((what) => what.name);
  const waiting = checks.filter((what) => what.result === 'not-run').length;
  const criteria = unmet.filter((what) => what.kind === 'criterion').map((what) => what.text);
  return [
    ...(failing.length > 0
      ? [`${counted(failing.length, 'check')} still fail${failing.length === 1 ? 's' : ''}: ${names(failing)}`]
      : []),
    ...(broken.length > 0
      ? [
          `${counted(broken.length, 'check')} passed at the start and fail${broken.length === 1 ? 's' : ''} now: ${names(broken)}`,
        ]
      : []),
    ...(hidden.length > 0
      ? [
          `the visible checks pass, but ${counted(hidden.length, 'hold-out check')} fail${hidden.length === 1 ? 's' : ''}: ${names(hidden)}`,
        ]
      : []),
    ...(unknown.length > 0 ? [`${counted(unknown.length, 'check')} without a result: ${names(unknown)}`] : []),
    ...(waiting > 0 ? [`${counted(waiting, 'check')} not run yet`] : []),
    ...(criteria.length > 0
      ? [`${criteria.length === 1 ? '1 criterion is' : `${criteria.length} criteria are`} open: ${names(criteria)}`]
      : []),
    ...unmet.flatMap((what) =>
      what.kind === 'forbidden' ? [`must not be true, but may be: ${oneLine(what.what, REASON_CHARS_MAX)}`] : [],
    ),
    ...unmet.flatMap((what) =>
      what.kind === 'approval' ? [`your approval (${oneLine(what.request, REASON_CHARS_MAX)}) is missing`] : [],
    ),
    ...roomSentences(unmet),
    ...unmet.flatMap((what) => (what.kind === 'claim' ? [unclaimedWords(what.near)] : [])),
  ].join('; ');
}

function roomSentences(unmet: readonly Unmet[]): readonly string[] {
  const checks = unmet.flatMap((what) => (what.kind === 'room' ? [`${what.name} (${ROOM_DOUBTS[what.doubt]})`] : []));
  const files = unmet.flatMap((what) =>
    what.kind === 'judge-file'
      ? [`${what.path}${what.part === undefined ? '' : ` (${what.part})`} ${what.change}`]
      : [],
  );
  const signs = unmet.flatMap((what) =>
    what.kind === 'sign' ? [`${what.path}:${what.line} ${signText(what.code)}`] : [],
  );
  return [
    ...(checks.length > 0 ? [`passes in the work tree, but not in the clean room: ${names(checks)}`] : []),
    ...(files.length > 0 ? [`changed files that judge the work: ${names(files)}`] : []),
    ...(signs.length > 0 ? [`signs of tampering: ${names(signs)}`] : []),
    ...unmet.flatMap((what) => (what.kind === 'room-lost' ? [lostWords(what.why, what.detail)] : [])),
  ];
}

const ROOM_DOUBTS: Readonly<Record<RoomDoubt, string>> = {
  fails: 'it fails there',
  'no-answer': 'no result there',
  'no-count': 'it reports no number of tests',
  'no-tests': 'no test ran',
  'fewer-tests': 'fewer tests ran than at the start',
  'more-skipped': 'more tests were skipped than at the start',
  'failed-tests': 'it exits 0 there, but its summary reports failed tests',
  'cannot-fail': 'tests that must fail passed there too',
};

export function doubtWords(doubt: RoomDoubt): string {
  return ROOM_DOUBTS[doubt];
}

type LeftOpen = Pick<State, 'doubts'> & { readonly plan: { readonly unmet: readonly Unmet[] } };

/** Why a loop waits. Without `doubts` it is not known whether the agent was asked before. */
export function pauseReason(pause: Pause, { plan: { unmet }, doubts }: LeftOpen): string {
  const question = oneLine(pause.question ?? '', REASON_CHARS_MAX);
  switch (pause.cause) {
    case 'user':
      return 'you paused it';
    case 'trouble':
      return question;
    case 'aborted':
      return "you stopped the agent's turn";
    case 'blocked':
      return `the agent is blocked: ${question}`;
    case 'failed':
      return `the agent's turn failed: ${question === '' ? 'it gave no reason' : question}`;
    case 'approval':
      return question === '' || pause.request === 'finish'
        ? 'everything else is done, and the finish needs your approval'
        : question;
    case 'review':
      return pause.request === 'protected-files'
        ? `all checks pass, but protected files were changed: ${names(printable(pause.question ?? '').split('\n'))}`
        : reviewReason(unmet, doubts !== undefined && isKept({ doubts }, unmet));
    case 'usage-limit':
      return `the agent reached its usage limit${pause.resumeAt === undefined ? '' : `; it resets at ${momentText(pause.resumeAt)}`}`;
    case 'usage-unknown':
      return 'a cost or token limit is set, but the agent does not report its usage, so the limit cannot be enforced';
    case 'handed-over':
      return pause.request === 'context-full'
        ? 'the conversation has no room for another turn'
        : 'the host limits how often in a row a hook may continue the agent';
  }
}

/** The flag that lets a halted loop continue, with a sufficient number. */
export function raiseAdvice(guard: Guard, limits: Limits, dialect: DialectOfLoop): string | null {
  switch (guard) {
    case 'iterations-max':
      return `--max-iterations ${raisedMaximum(limits.iterationsMax, dialect)}`;
    case 'duration-max':
      return `--max-duration ${limitDurationText(doubled(limits.durationMaxMs)).replace(' ', '')}`;
    case 'cost-max':
      return `--max-cost ${doubled(limits.costMaxUsd)}`;
    case 'tokens-max':
      return `--max-tokens ${doubled(limits.tokensMax)}`;
    case 'faults-in-row':
    case 'no-progress':
    case 'day-max':
    case 'agent-failed':
    case 'tampered':
      return null;
  }
}

/** Twice as many. For a maximum below 1, at least one more iteration than it took to notice the limit. */
function raisedMaximum(limit: Limit, dialect: DialectOfLoop): number {
  const more = limit === 'unlimited' ? 0 : shownUsed(Math.max(1, limit) + 1, dialect);
  return Math.max(more, doubled(shownMaximum(limit, dialect)));
}

function doubled(limit: number | 'unlimited'): number {
  return limit === 'unlimited' ? 0 : limit * 2;
}

const ABSTAIN_WORDS: Readonly<Record<AbstainReason, string>> = {
  'no-loop': 'no such loop exists',
  'file-unreadable': 'the state file cannot be read, so the agent may stop',
  'not-running': 'the loop is not running',
  'not-paused': 'the loop is not paused',
  ended: 'the loop has ended',
  'not-awaited': 'the loop was not waiting for this',
  duplicate: 'the same stop was reported twice',
  'background-work': 'the agent still has work in the background',
  'user-first': 'a message from the user takes priority',
  'held-by-other': 'another process drives the loop',
  'limit-not-raised': 'the limit that ended it has not been raised',
  'wait-not-over': 'its wait is not over',
  'work-changed': 'the files have changed since you were asked about them; resume the loop to have them judged again',
};

export function abstainWords(because: AbstainReason): string {
  return ABSTAIN_WORDS[because];
}

const CUT_WORDS: Readonly<Record<CutReason, string>> = {
  'iteration-timeout': 'the iteration took too long',
  'idle-timeout': 'the agent was silent too long',
  'duration-max': 'the running time of the loop is used up',
};

export function cutWords(cut: CutReason): string {
  return CUT_WORDS[cut];
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

export function dollars(amount: number): string {
  return `$${amount.toFixed(2)}`;
}

function names(all: readonly string[]): string {
  const shown = all.slice(0, NAMES_MAX).map((name) => oneLine(name, NAME_CHARS_MAX));
  return all.length > shown.length ? `${shown.join(', ')} and ${all.length - shown.length} more` : shown.join(', ');
}

const NAME_CHARS_MAX = 80;

/** One character for the result of a check, in lists. */
export const CHECK_MARKS: Readonly<Record<CheckAnswer, string>> = { passed: '✓', failed: '✗', unknown: '?' };
