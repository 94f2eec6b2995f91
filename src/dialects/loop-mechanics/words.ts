import type { Decision, Unmet } from '../../core/decision.ts';
import type { FileReading } from '../../core/foreign-file.ts';
import type { Loop } from '../../core/journal.ts';
import type { SessionRef } from '../../core/loop.ts';
import { isEnded, isSameSession } from '../../core/loop.ts';
import { promptOf } from '../../core/prompt.ts';
import { headWithin } from '../../core/quoting.ts';
import type { Answer, Words } from '../dialect.ts';
import { STATE_FILE } from './descriptor.ts';
import type { ErrorClass, LoopState } from './state.ts';
import { criteriaOf, FINISH, IN_PROGRESS, isMet, nextOf, readLoopState } from './state.ts';

/** What is told to an agent or printed; the whole text is in the state file. */
const SPEC_BYTES_MAX = 2000;

/** Who begins, and the loop of the file as far as the journal knows one. */
type Beginning = { readonly session: SessionRef; readonly loop: Loop | null };

/** What a new session is told when it begins in a project whose loop is in progress; `null` = there is none, or it cannot be read. */
export function announcement(text: string, beginning?: Beginning): string | null {
  const found = readLoopState(text);
  if (found.kind !== 'state' || found.state.status !== IN_PROGRESS) return null;
  const { state } = found;
  return [
    `A loop is in progress in ${STATE_FILE}: ${headWithin(state.spec, SPEC_BYTES_MAX)}`,
    `Iteration ${state.iteration}${state.maxIterations === undefined ? '' : ` of ${state.maxIterations}`}; ${stepsText(state)}.`,
    ...criteriaLines(state),
    `Resume with: ${nextOf(state)}`,
    ...(beginning === undefined ? [] : goingOn(beginning)),
  ].join('\n');
}

/** A session id in a command line that somebody may copy into a shell. */
const PLAIN_ID = /^[\w.-]+$/u;

/** A loop keeps only its own session going: any other is told how to become that. */
function goingOn({ session, loop }: Beginning): readonly string[] {
  if (loop === null || isEnded(loop.state)) return [];
  const { loop: id, session: owner, status } = loop.state;
  if (owner !== null && !isSameSession(owner, session))
    return [
      `It belongs to another session and does not keep this one going. To take it over: ${takeOverCommand(id, session)}`,
    ];
  return status === 'paused' ? [`It is paused. To go on: ${resumeCommand(id)}`] : [];
}

export function resumeCommand(loop: string): string {
  return `tireless resume ${loop}`;
}

function takeOverCommand(loop: string, { id }: SessionRef): string {
  return `${resumeCommand(loop)} --session ${PLAIN_ID.test(id) ? id : 'ID'}`;
}

/** For a program of another session that calls the lifecycle. */
export function otherSessionReason({ state: { loop } }: Loop, session: SessionRef): string {
  return `no active loop of this session: it belongs to another session; to take it over: ${takeOverCommand(loop, session)}`;
}

/** Why a paused loop waits, and how it continues. */
export function pausedReason({ state: { loop, pause } }: Loop): string {
  return `paused: ${pause?.question ?? pause?.cause ?? 'unknown'}; resume with: ${resumeCommand(loop)}`;
}

/** Why a loop waits, and what a person is asked for. */
export type PauseWords = { readonly reason: string; readonly request?: string };

export function pauseText({ reason, request }: PauseWords, loop: string, state: LoopState): string {
  return [
    `Paused: ${reason}`,
    ...(request === undefined ? [] : [request]),
    `Next when it goes on: ${nextOf(state)}`,
    `Resume with: ${resumeCommand(loop)}`,
  ].join('\n');
}

/** `error`: the class of the error it paused for. Logic errors never pause a loop. */
export function pauseWordsOf({ cause, question }: Decision & { kind: 'pause' }, error: ErrorClass | null): PauseWords {
  if (cause === 'usage-unknown') return UNKNOWN_COST;
  const reason = question ?? cause;
  return error === null || error === 'logic' ? { reason } : { reason, request: REQUESTS[error] };
}

const UNKNOWN_COST: PauseWords = {
  reason: 'there is a budget, and nobody says what the steps cost',
  request: `Keep the cost in ${STATE_FILE} or give it with each step, or take the budget out of the file.`,
};

const REQUESTS: Readonly<Record<Exclude<ErrorClass, 'logic'>, string>> = {
  transient: 'It was tried again and failed again: go on when the network or the service is back.',
  blocking: 'Help is needed: install, allow or provide what is missing.',
  unknown: 'Guidance is needed: look at the error and say how to go on.',
};

/** What was done, by whose word, and what it took. */
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
    `- errors on the way: ${errors.length}`,
    `- from ${startedAt} to ${endedAt ?? 'now'}`,
  ].join('\n');
}

/** For those who want a model to judge: the prompt of a prompt-type Stop hook. A program that reads the file is the surer judge. */
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

/** The same as an entry of the host's settings, with the timeout the document has by default, in seconds. */
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
  // A stop of the loop's own session while it waits: another session's stop is "no-loop".
  if (decision.kind === 'abstain' && decision.because === 'not-running' && loop?.state.status === 'paused') {
    const reason = pausedReason(loop);
    return { goesOn: false, text: '', reason, notice: `tireless: the loop in ${STATE_FILE} is ${reason}` };
  }
  if (decision.kind !== 'continue' || loop === null)
    return { goesOn: false, text: '', reason: reasonOf(decision, reading) };
  const open = decision.unmet.flatMap(openWords);
  const next = reading?.kind === 'loop' ? reading.next : undefined;
  const reason = open.length > 0 ? `unmet: ${open.join(', ')}` : `next: ${next ?? FINISH}`;
  return { goesOn: true, text: promptOf(loop.spec, loop.state), reason };
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
    case 'claim':
      return [];
  }
}

/** Why the agent may stop. Only a completed loop is called complete. */
function reasonOf(decision: Decision, reading: FileReading | null): string {
  switch (decision.kind) {
    case 'complete':
      return 'complete';
    case 'halt':
      return `stopped: ${decision.guard}${decision.limit === null ? '' : ` (limit ${decision.limit})`}`;
    case 'pause':
      return `paused: ${decision.question ?? decision.cause}`;
    case 'cancel':
      return 'cancelled';
    case 'abstain':
    case 'continue':
    case 'record':
    case 'refuse':
      return reading?.kind === 'invalid' ? `no active loop: ${reading.why}` : 'no active loop';
  }
}
