import { isPlainId } from '../../core/shell-word.ts';
import type { AbstainReason, Decision, Unmet } from '../../core/decision.ts';
import type { FileOffer, FileReading } from '../../core/foreign-file.ts';
import type { Loop } from '../../core/journal.ts';
import type { SessionRef } from '../../core/loop.ts';
import { isEnded, isSameSession } from '../../core/loop.ts';
import { promptOf } from '../../core/prompt.ts';
import { headWithin } from '../../core/quoting.ts';
import { dayLimitText } from '../day-limit.ts';
import type { Answer, Words } from '../dialect.ts';
import { pauseWords, resumeWords } from '../pause-words.ts';
import { STATE_FILE } from './descriptor.ts';
import { classifyError } from './errors.ts';
import type { ErrorClass, LoopState } from './state.ts';
import { COMPLETED, criteriaOf, FINISH, IN_PROGRESS, isMet, nextOf, readLoopState } from './state.ts';

/** For text that is printed or shown to an agent; the full text is in the state file. */
const SPEC_BYTES_MAX = 2000;

/** The session that begins, and the loop of the file if the journal has one. */
type Beginning = { readonly session: SessionRef; readonly loop: Loop | null; readonly offer?: FileOffer | null };

/** The text for a new session in a project with a loop in progress; `null` = there is no loop, or it cannot be read. */
export function announcement(text: string, beginning?: Beginning): string | null {
  const found = readLoopState(text);
  if (found.kind !== 'state' || found.state.status !== IN_PROGRESS) return null;
  const { state } = found;
  return [
    `A loop is in progress in ${STATE_FILE}: ${headWithin(state.spec, SPEC_BYTES_MAX)}`,
    `Iteration ${state.iteration}${state.maxIterations === undefined ? '' : ` of ${state.maxIterations}`}; ${stepsText(state)}.`,
    ...criteriaLines(state),
    `Resume with: ${nextOf(state)}`,
    ...(beginning === undefined ? [] : howToContinue(beginning)),
  ].join('\n');
}

/**
 * A loop keeps only its own session going: any other session is shown how to take it over. If such a session gets no offer, the file is a
 * new one, which it starts at its next stop.
 */
function howToContinue({ session, loop, offer }: Beginning): readonly string[] {
  if (loop === null || isEnded(loop.state)) return [];
  const { loop: id, session: owner, status } = loop.state;
  const isOthers = owner !== null && !isSameSession(owner, session);
  if (offer === null && isOthers) return ['The file is new: its loop begins in this session at the next stop.'];
  if (offer?.kind === 'free' && status !== 'paused')
    return ['Its session is silent, so the loop continues in this session at the next stop.'];
  if (isOthers && offer?.kind !== 'free')
    return [
      `It belongs to another session and does not keep this one going. To take it over: ${takeOverCommand(id, session)}`,
    ];
  return status === 'paused' ? [`It is paused. To continue: ${resumeCommand(id)}`] : [];
}

export function resumeCommand(loop: string): string {
  return `tireless resume ${loop}`;
}

function takeOverCommand(loop: string, { id }: SessionRef): string {
  return `${resumeCommand(loop)} --session ${isPlainId(id) ? id : 'ID'}`;
}

/** For a program in another session that calls the lifecycle. */
export function otherSessionReason({ state: { loop } }: Loop, session: SessionRef): string {
  return `no active loop of this session: it belongs to another session; to take it over: ${takeOverCommand(loop, session)}`;
}

/** Why a paused loop waits, and how it continues. */
export function pausedReason({ state: { loop, pause } }: Loop): string {
  if (pause?.cause === 'usage-unknown') return `paused: ${unknownCostText(loop)}`;
  return `paused: ${pauseWords(pause)}; ${resumeWords(loop, pause)}`;
}

/** Why a loop waits, and what a person is asked to do. */
export type PauseWords = { readonly reason: string; readonly request?: string };

export function pauseText({ reason, request }: PauseWords, loop: string, state: LoopState): string {
  return [
    `Paused: ${reason}`,
    ...(request === undefined ? [] : [request]),
    `Next step: ${nextOf(state)}`,
    `Resume with: ${resumeCommand(loop)}`,
  ].join('\n');
}

/** `error`: the class of the error that paused it. Logic errors never pause a loop. */
export function pauseWordsOf(pause: Decision & { kind: 'pause' }, error: ErrorClass | null): PauseWords {
  if (pause.cause === 'usage-unknown') return UNKNOWN_COST;
  const reason = pauseWords(pause);
  return error === null || error === 'logic' ? { reason } : { reason, request: REQUESTS[error] };
}

const UNKNOWN_COST = {
  reason: 'there is a budget, and nobody reports what the work costs',
  request: `Keep the cost in ${STATE_FILE} or pass it with each step, or take the budget out of the file.`,
} as const satisfies PauseWords;

const REQUESTS: Readonly<Record<Exclude<ErrorClass, 'logic'>, string>> = {
  transient: 'It was tried again and failed again: continue when the network or the service is back.',
  blocking: 'Help is needed: install, allow or provide what is missing.',
  unknown: 'Guidance is needed: look at the error and say how to continue.',
};

/** What was done, what proves it, and what it took. */
export function summaryReport(state: LoopState, loop: Loop): string {
  const { counted, usage, outcome, startedAt, endedAt } = loop.state;
  const errors = state.errors ?? [];
  const verified = outcome?.kind === 'completed' && outcome.verified;
  return [
    `# Complete: ${state.spec.split('\n', 1)[0] ?? ''}`,
    '',
    `- result: ${outcome === null ? loop.state.status : outcome.kind}${outcome?.kind === 'completed' ? (verified ? ', verified' : ", unverified (the agent's word)") : ''}`,
    `- iterations: ${counted} of ${String(loop.state.limits.iterationsMax)}`,
    `- steps: ${stepsText(state)}`,
    ...criteriaOf(state).map((criterion) => `- [${isMet(state, criterion) ? 'x' : ' '}] ${criterion}`),
    ...(usage.costUsd === 'unknown' || state.cost === undefined ? [] : [`- cost: $${usage.costUsd.toFixed(2)}`]),
    `- errors: ${errors.length}`,
    `- from ${startedAt} to ${endedAt ?? 'now'}`,
  ].join('\n');
}

/** The prompt of a prompt-type Stop hook, for users who want a model to judge. A program that reads the file is more reliable. */
export function promptHookText(): string {
  return [
    'You decide whether a coding agent may stop. The hook input is: $ARGUMENTS',
    '',
    `1. Read ${STATE_FILE} in the project directory (cwd of the input). Without a tool to read it, take its newest content in the transcript.`,
    `2. If it does not exist, or its criteriaStatus is missing or malformed, answer {"ok": true, "reason": "no active loop"}.`,
    '3. If any value of criteriaStatus is false, answer {"ok": false, "reason": "unmet: [criteria]"} with the names of those criteria,',
    '   whatever the agent says about being done.',
    '4. If all values are true and the last message of the agent contains <loop-complete>, answer {"ok": true, "reason": "complete"}.',
    '5. If all values are true and it does not, answer {"ok": false, "reason": "next: [specific action]"}: the first of remainingSteps, or to',
    '   verify every criterion and output <loop-complete>.',
    '6. Has stop_hook_active been true for 3+ consecutive evaluations while criteriaStatus and completedSteps did not change? Then answer',
    '   {"ok": true, "reason": "stopped: no progress"}, whatever the lines above say.',
    '',
    'Answer with one JSON object, no explanation, no markdown.',
    '',
    'JSON ONLY:',
  ].join('\n');
}

/** The same as an entry in the host's settings, with the document's default timeout, in seconds. */
export function promptHook(): { readonly type: 'prompt'; readonly prompt: string; readonly timeout: number } {
  return { type: 'prompt', prompt: promptHookText(), timeout: 30 };
}

function stepsText({ steps, completedSteps, remainingSteps }: LoopState): string {
  const all = Math.max(steps.length, completedSteps.length + remainingSteps.length);
  return `${completedSteps.length} of ${all} steps done`;
}

function criteriaLines(state: LoopState): readonly string[] {
  const open = criteriaOf(state).filter((criterion) => !isMet(state, criterion));
  return open.length === 0 ? [] : [`Open criteria: ${open.join(', ')}`];
}

export function wordsFor({ decision, loop, reading }: Answer): Words {
  if (decision.kind === 'continue' && loop !== null) return continueWords(decision.unmet, loop, reading);
  // Two hooks reported the same stop, and the other one has delivered the text.
  if (decision.kind === 'abstain' && decision.because === 'duplicate' && loop !== null)
    return { sendsBack: false, repeats: true, text: '', reason: openReason(loop.state.plan.unmet, reading) };
  const reason = reasonOf(decision, loop, reading);
  const notice =
    decision.kind === 'pause' ? pauseNotice(decision, loop, reading) : noticeFor(decision, reading, reason);
  return { sendsBack: false, text: '', reason, ...(notice === null ? {} : { notice }) };
}

function continueWords(unmet: readonly Unmet[], loop: Loop, reading: FileReading | null): Words {
  const reason = openReason(unmet, reading);
  const text = promptOf(loop.spec, loop.state);
  if (reading?.kind !== 'loop' || reading.isMarkedDone !== true) return { sendsBack: true, text, reason };
  const open = unmet.flatMap(openWords);
  const count = open.length === 1 ? '1 criterion is open' : `${open.length} criteria are open`;
  const why = open.length === 0 ? 'the agent has not output <loop-complete>' : count;
  const list = open.length === 0 ? '' : `: ${headWithin(open.join(', '), SPEC_BYTES_MAX)}`;
  return {
    sendsBack: true,
    text: `The status "${COMPLETED}" was reset: a status in the file is not proof.\n${text}`,
    reason,
    notice: `tireless: ${STATE_FILE} says "${COMPLETED}", but ${why}, so the loop continues${list}. To end the loop, set status to "stopped", or delete the file.`,
  };
}

function openReason(unmet: readonly Unmet[], reading: FileReading | null): string {
  const open = unmet.flatMap(openWords);
  const next = reading?.kind === 'loop' ? reading.next : undefined;
  return open.length > 0 ? `unmet: ${open.join(', ')}` : `next: ${next ?? FINISH}`;
}

/** What the user has to do after a failed turn or an unknown cost. Other pauses have their own texts. */
function pauseNotice(
  decision: Decision & { kind: 'pause' },
  loop: Loop | null,
  reading: FileReading | null,
): string | null {
  if (loop === null) return null;
  if (decision.cause === 'usage-unknown') return `tireless: paused: ${unknownCostText(loop.state.loop)}`;
  if (decision.cause !== 'failed') return null;
  const { reason, request } = pauseWordsOf(decision, errorClassIn(decision.question ?? ''));
  const next = reading?.kind === 'loop' ? [`Next step: ${reading.next ?? FINISH}.`] : [];
  const resume = `Resume with: ${resumeCommand(loop.state.loop)}`;
  const sentence = headWithin(reason.replaceAll(/\s+/gu, ' '), SPEC_BYTES_MAX).replace(/[.\s]*$/u, '.');
  return [`tireless: paused: ${sentence}`, ...(request === undefined ? [] : [request]), ...next, resume].join(' ');
}

/** A resume alone would pause again at the next stop. */
function unknownCostText(loop: string): string {
  const { reason, request } = UNKNOWN_COST;
  const resume = resumeCommand(loop);
  return `${reason}. ${request} Then: ${resume}; or continue without the budget: ${resume} --max-cost unlimited`;
}

/** A failed turn has no logic to correct. */
function errorClassIn(detail: string): ErrorClass {
  const named = classifyError(detail);
  return named === 'logic' ? 'unknown' : named;
}

/** The notice if the agent stops for a reason other than a limit or the end of the work. */
function noticeFor(decision: Decision, reading: FileReading | null, reason: string): string | null {
  if (reading?.kind === 'invalid')
    return `tireless: ${STATE_FILE} cannot be read (${headWithin(reading.why, SPEC_BYTES_MAX)}), so the agent may stop. Correct it or delete it.`;
  if (decision.kind === 'cancel')
    return `tireless: ${cancelWords(decision)}, so the loop is cancelled and the agent may stop`;
  // A stop of the loop's own session while it waits: a stop of another session is "no-loop".
  return decision.kind === 'abstain' && decision.because === 'not-running'
    ? `tireless: the loop in ${STATE_FILE} is ${reason}`
    : null;
}

function cancelWords({ because }: Decision & { kind: 'cancel' }): string {
  if (because === undefined) return 'you cancelled it';
  return because === 'file-removed' ? `${STATE_FILE} was removed` : `the status in ${STATE_FILE} ends the loop`;
}

function openWords(unmet: Unmet): readonly string[] {
  switch (unmet.kind) {
    case 'criterion':
      return [unmet.text];
    case 'check':
      return [unmet.holdout === true ? 'a check that is not shown' : `the check ${unmet.name}`];
    case 'approval':
      return [`the approval ${unmet.request}`];
    case 'forbidden':
      return [unmet.what];
    case 'room':
      return [unmet.holdout === true ? 'a check that is not shown' : `the check ${unmet.name} in the clean room`];
    case 'judge-file':
    case 'sign':
      return [`the change of ${unmet.path}`];
    case 'room-lost':
      return ['the clean room'];
    case 'claim':
      return [];
  }
}

/** Why the agent may stop. Only a completed loop is called complete, and "no active loop" means that none is open. */
function reasonOf(decision: Decision, loop: Loop | null, reading: FileReading | null): string {
  switch (decision.kind) {
    case 'complete':
      return 'complete';
    case 'halt':
      if (decision.guard === 'day-max') return `stopped: ${dayLimitText(decision)}`;
      return `stopped: ${decision.guard}${decision.limit === null ? '' : ` (limit ${decision.limit})`}`;
    case 'pause':
      return decision.cause === 'usage-unknown' && loop !== null
        ? pausedReason(loop)
        : `paused: ${pauseWords(decision)}`;
    case 'cancel':
      return 'cancelled';
    case 'abstain':
      return abstainReason(decision.because, loop, reading);
    case 'continue':
    case 'record':
    case 'refuse':
      return NO_ACTIVE_LOOP;
  }
}

const NO_ACTIVE_LOOP = 'no active loop';

function abstainReason(because: AbstainReason, loop: Loop | null, reading: FileReading | null): string {
  if (reading?.kind === 'invalid') return `${NO_ACTIVE_LOOP}: ${STATE_FILE} cannot be read: ${reading.why}`;
  if (loop === null || isEnded(loop.state)) return NO_ACTIVE_LOOP;
  switch (because) {
    case 'no-loop':
      return `${NO_ACTIVE_LOOP} of this session: the loop in ${STATE_FILE} belongs to another session; to take it over: ${resumeCommand(loop.state.loop)} --session ID`;
    case 'background-work':
      return 'not judged: the agent still has work in the background';
    case 'user-first':
      return 'not judged: the user has said something first';
    case 'not-running':
      return loop.state.status === 'paused' ? pausedReason(loop) : 'not judged: the loop has not begun';
    case 'file-unreadable':
    case 'not-paused':
    case 'ended':
    case 'not-awaited':
    case 'duplicate':
    case 'held-by-other':
    case 'limit-not-raised':
    case 'wait-not-over':
    case 'work-changed':
      return 'not judged: this turn was reported before';
  }
}
