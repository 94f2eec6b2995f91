import type { CheckResult, Evidence } from '../core/evidence.ts';
import type { Entry, Loop } from '../core/journal.ts';
import type { Spec } from '../core/loop.ts';
import { judgeProgress } from '../core/progress.ts';
import { durationText, limitDurationText } from './duration.ts';
import { shownMaximum } from './iteration-count.ts';
import { excerptLines } from './check-excerpt.ts';
import { lastWords } from './last-words.ts';
import { oneLine } from './printable.ts';
import { roomLines } from './explain-room.ts';
import { counted } from './sentences.ts';
import { unclaimedWords } from './unclaimed.ts';
import { usageWords } from './usage-words.ts';

const EXCERPT_LINES_MAX = 12;
const LINE_CHARS_MAX = 160;
const WORDS_CHARS_MAX = 240;

/** The evidence of one decision, one line per fact. */
export function evidenceLines(entry: Entry, before: Loop | null): readonly string[] {
  const { event, evidence } = entry;
  if (event.kind === 'loop-started') return specLines(event.spec);
  const checks = (evidence.checks ?? []).flatMap((check) => checkLines(check, before));
  if (event.kind !== 'turn-ended')
    return [
      ...checks,
      ...roomLines(evidence, before),
      ...holderLines(evidence),
      ...usageLines(evidence),
      ...waitLines(evidence),
    ];
  return [
    ...checks,
    ...roomLines(evidence, before),
    ...criteriaLines(evidence, before),
    ...claimLines(entry),
    ...wordLines(evidence),
    ...protectedLines(evidence),
    ...progressLines(entry, before),
    ...usageLines(evidence),
    ...waitLines(evidence),
  ];
}

function usageLines({ usage }: Evidence): readonly string[] {
  const words = usage === undefined ? [] : usageWords(usage);
  return words.length === 0 ? [] : [`the turn used ${words.join(' and ')}`];
}

function waitLines({ dialogMs }: Evidence): readonly string[] {
  return dialogMs === undefined
    ? []
    : [`the agent waited ${durationText(dialogMs)} for your answer, which does not count as running time`];
}

function specLines(spec: Spec): readonly string[] {
  const { limits } = spec;
  const agent =
    spec.agent === undefined
      ? 'its own session'
      : spec.agent.kind === 'named'
        ? [spec.agent.name, ...(spec.agent.args ?? [])].join(' ')
        : spec.agent.command;
  return [
    `agent: ${oneLine(agent, LINE_CHARS_MAX)}`,
    spec.checks.length === 0
      ? `no checks: ${spec.approveFinish ? 'a claim and your approval complete it' : 'only a claim can complete it, unverified'}`
      : `checks: ${spec.checks.map((check) => `${oneLine(check.name, LINE_CHARS_MAX)}${check.holdout ? ' (hold-out)' : ''}`).join(', ')}`,
    ...(spec.criteria.length > 0
      ? [`criteria: ${spec.criteria.map((criterion) => oneLine(criterion.text, LINE_CHARS_MAX)).join(', ')}`]
      : []),
    ...(spec.protect.length > 0 ? [`protected: ${spec.protect.join(', ')}`] : []),
    `limits: ${shownMaximum(limits.iterationsMax, spec.dialect)} iterations, ${limits.durationMaxMs === 'unlimited' ? 'unlimited' : limitDurationText(limits.durationMaxMs)} running time, ${limits.faultsInRowMax} faults in a row, ${limits.noProgressMax} iterations without progress`,
  ];
}

function checkLines(check: CheckResult, before: Loop | null): readonly string[] {
  const baseline = before?.state.baseline?.find((result) => result.name === check.name)?.result;
  const notes = [
    ...(check.exitCode === undefined ? [] : [`exit ${check.exitCode}`]),
    durationText(check.durationMs),
    ...(check.unknown === undefined ? [] : [UNKNOWN_WORDS[check.unknown]]),
    ...(check.flaky === true ? ['flaky: failed, then passed when run again'] : []),
    ...(check.holdout === true ? ['hold-out'] : []),
    ...(check.result === 'failed' && baseline === 'passed' ? ['regressed: it passed at the start'] : []),
  ];
  const excerpt = excerptLines(check, { linesMax: EXCERPT_LINES_MAX, charsMax: LINE_CHARS_MAX });
  return [
    `check "${oneLine(check.name, LINE_CHARS_MAX)}" ${ANSWER_WORDS[check.result]} (${notes.join(', ')})`,
    ...excerpt.map((line) => `    | ${line}`),
  ];
}

const ANSWER_WORDS = { passed: 'passed', failed: 'failed', unknown: 'has no result' } as const;

export const UNKNOWN_WORDS = {
  'timed-out': 'it took too long',
  'not-runnable': 'it cannot be run',
  'not-run': 'it was not run',
  'not-allowed': 'it is not allowed to run',
  'still-running': 'it is still running',
  'no-report': 'it passed without its report',
} as const;

function criteriaLines(evidence: Evidence, before: Loop | null): readonly string[] {
  const all = before?.spec.criteria.length ?? 0;
  return all === 0 ? [] : [`criteria ticked: ${(evidence.criteriaMet ?? []).length} of ${all}`];
}

function claimLines({ evidence, decision }: Entry): readonly string[] {
  const { claim } = evidence;
  const made = claim?.made ?? null;
  const blocked = claim?.blocked ?? null;
  return [
    ...(made === null
      ? [claim?.near === undefined ? 'the agent did not claim to be done' : unclaimedWords(claim.near)]
      : [`the agent claimed ${oneLine(made, LINE_CHARS_MAX)}${CLAIM_FATE[decision.kind] ?? ''}`]),
    ...(blocked === null ? [] : [`the agent said it is blocked: ${oneLine(blocked, LINE_CHARS_MAX)}`]),
  ];
}

function wordLines({ message }: Evidence): readonly string[] {
  const words = lastWords(message?.preview ?? '', WORDS_CHARS_MAX);
  return words === '' ? [] : [`the agent's last words: ${words}`];
}

const CLAIM_FATE: Readonly<Record<string, string>> = {
  continue: ', which was refused: a claim is not proof',
  halt: ', which was refused: a claim is not proof',
};

function protectedLines(evidence: Evidence): readonly string[] {
  const changed = evidence.protectedFiles?.changed ?? [];
  return changed.length === 0
    ? []
    : [
        `${counted(changed.length, 'protected file')} changed: ${changed
          .slice(0, 10)
          .map((file) => oneLine(file, LINE_CHARS_MAX))
          .join(', ')}`,
      ];
}

/** The same signals that the core weighed, listed one by one. */
function progressLines({ evidence }: Entry, before: Loop | null): readonly string[] {
  if (before === null) return [];
  const { state } = before;
  const workspace = evidence.workspace ?? null;
  const signals = [
    workspace === null
      ? 'files: not known'
      : state.progress.workspaces.at(-1) === workspace
        ? 'files unchanged'
        : state.progress.workspaces.includes(workspace)
          ? 'files back to an earlier state'
          : 'files changed',
    ...(evidence.toolCalls === undefined ? [] : [counted(evidence.toolCalls, 'tool call')]),
    ...(evidence.message === undefined
      ? []
      : [
          evidence.message.bytes === 0
            ? 'the agent said nothing'
            : `the agent wrote ${counted(evidence.message.bytes, 'character')}`,
        ]),
  ];
  const halves = judgeProgress(state, evidence).stalledHalves;
  const weight =
    halves === 0 ? 'progress' : halves > state.progress.stalledHalves + 1 ? 'no progress' : 'weak signs of progress';
  return [`${weight}: ${signals.join(', ')}`];
}

function holderLines(evidence: Evidence): readonly string[] {
  return evidence.holderAlive === false ? ['the previous driver is dead'] : [];
}
