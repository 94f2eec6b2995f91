import type { Loop } from '../core/journal.ts';
import type { LoopState } from './loop-mechanics-state.ts';
import { criteriaOf, IN_PROGRESS, isMet, nextOf, readLoopState, STATE_FILE } from './loop-mechanics-state.ts';

/** What a new session is told when it begins in a project whose loop is in progress; `null` = there is none, or it cannot be read. */
export function announcement(text: string): string | null {
  const found = readLoopState(text);
  if (found.kind !== 'state' || found.state.status !== IN_PROGRESS) return null;
  const { state } = found;
  return [
    `A loop is in progress in ${STATE_FILE}: ${state.spec}`,
    `Iteration ${state.iteration}${state.maxIterations === undefined ? '' : ` of ${state.maxIterations}`}; ${stepsText(state)}.`,
    ...criteriaLines(state),
    `Resume with: ${nextOf(state)}`,
  ].join('\n');
}

export function resumeCommand(loop: string): string {
  return `tireless resume ${loop}`;
}

export function pauseText(reason: string, loop: string, state: LoopState): string {
  return [`Paused: ${reason}`, `Next when it goes on: ${nextOf(state)}`, `Resume with: ${resumeCommand(loop)}`].join(
    '\n',
  );
}

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
    `1. Read ${STATE_FILE} in the project directory (cwd of the input).`,
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

function stepsText({ steps, completedSteps, remainingSteps }: LoopState): string {
  const all = Math.max(steps.length, completedSteps.length + remainingSteps.length);
  return `${completedSteps.length} of ${all} steps done`;
}

function criteriaLines(state: LoopState): readonly string[] {
  const open = criteriaOf(state).filter((criterion) => !isMet(state, criterion));
  return open.length === 0 ? [] : [`Open criteria: ${open.join(', ')}`];
}
