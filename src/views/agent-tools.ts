import { BLOCKED_TAG } from '../core/claim.ts';
import type { CheckResult } from '../core/evidence.ts';
import type { Loop } from '../core/journal.ts';
import type { Limit, Spec } from '../core/loop.ts';
import { isEnded } from '../core/loop.ts';
import { claimInstruction } from '../core/prompt.ts';
import type { Verification } from '../core/verification.ts';
import { durationText } from './duration.ts';
import { countText, iterationCountOf } from './iteration-count.ts';
import { excerptLines } from './check-excerpt.ts';
import { fullStop, oneLine } from './printable.ts';
import { CHECK_MARKS, dollars, outcomeSentence } from './sentences.ts';
import { verificationLines } from './verification.ts';

/** What the agent of a loop may read about it. None of it contains hold-out checks. */

const GOAL_CHARS_MAX = 20_000;
const LINE_CHARS_MAX = 300;
const EXCERPT_LINES_MAX = 40;
const QUESTION_CHARS_MAX = 1000;

type Shown = Pick<Loop, 'spec' | 'state'>;

export function goalText({ spec, state }: Shown): string {
  const checks = visibleChecks(spec).map((check) => `- ${oneLine(check.name, LINE_CHARS_MAX)}`);
  return [
    `Loop ${state.loop}: ${isEnded(state) ? outcomeSentence({ spec, state }) : state.status}.`,
    `Goal:\n\n${spec.goal.slice(0, GOAL_CHARS_MAX)}`,
    ...(checks.length === 0 ? [] : [`These checks have to pass, here and in a clean copy:\n\n${checks.join('\n')}`]),
    ...(spec.claimRequired || checks.length === 0 ? [claimInstruction(spec.claim)] : []),
    ...(spec.approveFinish ? ['A person has to approve the finish.'] : []),
  ].join('\n\n');
}

/** `ticked`: the criteria that are met now, according to the tracker. */
export function openText({ spec, state }: Shown, ticked: readonly string[]): string {
  const criteria = spec.criteria.filter(({ text }) => !ticked.includes(text));
  const last = new Map(state.checks.map((check) => [check.name, check.result]));
  const checks = visibleChecks(spec).map(
    ({ name }) => `- ${oneLine(name, LINE_CHARS_MAX)}: ${last.get(name) ?? 'not run yet'}`,
  );
  return [
    spec.criteria.length === 0
      ? 'The goal has no criteria.'
      : criteria.length === 0
        ? 'All criteria are ticked.'
        : `Open criteria (${spec.tracker ?? 'no tracker'}):\n\n${criteria.map(({ text }) => `- ${oneLine(text, LINE_CHARS_MAX)}`).join('\n')}`,
    ...(checks.length === 0 ? [] : [`Check results at your last stop:\n\n${checks.join('\n')}`]),
  ].join('\n\n');
}

export function limitsLeftText({ spec, state }: Shown): string {
  const { limits, usage, counted, runningMs } = state;
  return [
    `Iteration ${countText(iterationCountOf({ spec, state }))}${iterationsAfter(limits.iterationsMax, counted)}.`,
    `Running time: ${amountLeft(limits.durationMaxMs, runningMs, durationText)}.`,
    ...(limits.costMaxUsd === 'unlimited' || usage.costUsd === 'unknown'
      ? []
      : [`Cost: ${amountLeft(limits.costMaxUsd, usage.costUsd, dollars)}.`]),
    ...(limits.tokensMax === 'unlimited' || usage.tokens === 'unknown'
      ? []
      : [`Tokens: ${amountLeft(limits.tokensMax, usage.tokens, String)}.`]),
    `Iterations without progress: ${state.progress.stalledHalves / 2} of ${limits.noProgressMax}.`,
  ].join('\n');
}

function iterationsAfter(limit: Limit, counted: number): string {
  if (limit === 'unlimited') return '';
  const more = limit - counted - 1;
  return more <= 0 ? ', the last one' : `; ${more} more after this one`;
}

function amountLeft(limit: Limit, used: number, text: (value: number) => string): string {
  return limit === 'unlimited' ? 'unlimited' : `${text(Math.max(0, limit - used))} left of ${text(limit)}`;
}

/** The loop is decided when the turn ends, so the agent has to report the block there. */
export function blockedText(spec: Spec, what: string): string {
  if (spec.dialect !== undefined)
    return 'This loop follows a state file, which has no way to wait for a person. Say in your last message what you need.';
  const question = oneLine(what.replaceAll(/<\/?blocked>/giu, ''), QUESTION_CHARS_MAX);
  return `Noted. Now end your turn. Your last message must contain exactly this line, on its own:\n\n<${BLOCKED_TAG}>${question}</${BLOCKED_TAG}>\n\nThe loop then waits for a person.`;
}

export function approvalText({ spec, state }: Shown, what: string): string {
  if (state.pause?.request !== undefined)
    return fullStop(`The loop is already waiting for a person: ${outcomeSentence({ spec, state })}`);
  const own = spec.approveFinish
    ? 'When everything else is done, the loop asks a person to approve the finish.\n\n'
    : '';
  return `Only a person can approve. ${own}${blockedText(spec, `Approval needed: ${what}`)}`;
}

/** `tree`: the results of the checks in the work tree. `room`: `null` if the checks do not even pass there. */
export function verifyText(loop: string, tree: readonly CheckResult[], room: Verification | null): string {
  const failed = tree.filter((check) => check.result !== 'passed');
  if (room === null)
    return [
      `Not done: ${failed.length} of ${tree.length} checks do not pass in the work tree.`,
      ...failed.map(failText),
    ].join('\n\n');
  const lines = verificationLines({ loop, ref: null }, room);
  if (room.proven)
    return `All checks pass, also in the clean room. End your turn to have it judged.\n\n${lines.join('\n')}`;
  if (room.greenBefore === true)
    return `All checks pass, also in the clean room. They passed before you began too, so they do not show that the goal is met: claim that only if it is. End your turn to have it judged.\n\n${lines.join('\n')}`;
  return `All checks pass in the work tree, but this is not proven in the clean room.\n\n${lines.join('\n')}`;
}

function failText(check: CheckResult): string {
  const { name, result } = check;
  const lines = excerptLines(check, { linesMax: EXCERPT_LINES_MAX, charsMax: LINE_CHARS_MAX });
  return [
    `${CHECK_MARKS[result]} ${oneLine(name, LINE_CHARS_MAX)}: ${result}`,
    ...lines.map((line) => `  | ${line}`),
  ].join('\n');
}

function visibleChecks(spec: Spec): Spec['checks'] {
  return spec.checks.filter((check) => !check.holdout);
}
