import type { Event, Failure } from '../core/event.ts';
import type { Outcome } from '../core/loop.ts';
import type { CheckResult, Evidence } from '../core/evidence.ts';
import { excerptLines } from '../views/check-excerpt.ts';
import { durationText, momentText } from '../views/duration.ts';
import { UNKNOWN_WORDS } from '../views/explain-evidence.ts';
import { countText, shownCount } from '../views/iteration-count.ts';
import { oneLine } from '../views/printable.ts';
import { GREEN_START, isGreen } from '../views/green-start.ts';
import { roomWarnings, whereWords } from '../views/room-words.ts';
import { atStart, CHECK_MARKS, counted, cutWords, decisionSentence } from '../views/sentences.ts';
import type { Progress } from './display.ts';

const TEXT_CHARS_MAX = 300;
const EXCERPT_LINES_MAX = 10;
const TIME_SPENT = /\d+(?:\.\d+)? ?m?s\b/g;

export type Tone = 'plain' | 'strong' | 'good' | 'bad' | 'doubtful' | 'quiet' | 'alarm';
/** `hang`: where the later rows of a line begin if it is too long for the screen; absent = where its text begins. */
export type Line = { readonly tone: Tone; readonly text: string; readonly hang?: number };

/** For each check, the part of its output that was shown last. */
type ShownExcerpts = Map<string, string>;

/** `narrate` for one display, with a memory of what it has shown. */
export function narration(): (progress: Progress) => readonly Line[] {
  const excerpts: ShownExcerpts = new Map();
  const runs = new Map<string, number>();
  let isPaused = false;
  return (progress) => {
    if (progress.kind === 'decided') {
      isPaused = progress.decision.kind === 'pause';
      runs.clear();
    }
    if (progress.kind !== 'check-ended') return narrate(progress, { excerpts });
    // Ctrl-C also ends running checks, which have not failed.
    if (isPaused) return [];
    const check = JSON.stringify([progress.result.name, progress.where]);
    const run = (runs.get(check) ?? 0) + 1;
    runs.set(check, run);
    return narrate(progress, { excerpts, run });
  };
}

function noChecksLine(isApproved: boolean): string {
  return isApproved ? 'no checks: only your approval verifies the work' : 'no checks: it can only end unverified';
}

/** What a display has shown so far. `run`: how often this check has run since the last decision, including this time. */
type Shown = { readonly excerpts?: ShownExcerpts; readonly run?: number };

/** The lines that stay on the screen: one per step, the same on a terminal and in a log. A failure that was just shown is not shown again. */
function narrate(progress: Progress, { excerpts = new Map(), run = 1 }: Shown): readonly Line[] {
  switch (progress.kind) {
    case 'loop-opened':
      return [
        line('strong', `loop ${progress.loop}: ${oneLine(progress.goal, TEXT_CHARS_MAX)}`),
        ...(progress.checks === 0 ? [line('doubtful', noChecksLine(progress.approval === true))] : []),
        ...(progress.fresh && progress.checks > 0 ? [line('strong', 'before the first iteration')] : []),
      ];
    case 'iteration-began':
      return [
        line(
          'strong',
          `iteration ${countText(shownCount(progress, progress.dialect))}${progress.rerun ? ' (again)' : ''}`,
        ),
      ];
    case 'agent-active':
    case 'check-began':
      return [];
    case 'check-ended':
      return [checkLine(progress.result, progress.where, run), ...excerptOf(progress.result, excerpts)];
    case 'decided':
      return [...eventLines(progress.event, progress.evidence), ...decisionLines(progress)];
    case 'waiting':
      // The pause between two iterations was reported with the decision.
      return progress.why === 'between-iterations'
        ? []
        : [line('quiet', `  the agent reached its usage limit; continuing at ${momentText(progress.untilMs)}`)];
    case 'note':
      return [line('quiet', `  ${oneLine(progress.text, TEXT_CHARS_MAX)}`)];
  }
}

const TONES = { passed: 'good', failed: 'bad', unknown: 'doubtful' } as const;

function checkLine(check: CheckResult, where: 'room' | undefined, run: number): Line {
  const notes = [
    ...(run === 1 ? [] : [run === 2 ? 'second run' : `run ${run}`]),
    ...(check.result === 'passed' ? [] : [whyNotPassed(check)]),
    ...(check.flaky === true ? ['flaky'] : []),
    durationText(check.durationMs),
  ];
  return line(
    TONES[check.result],
    `  ${CHECK_MARKS[check.result]} ${oneLine(check.name, TEXT_CHARS_MAX)}${whereWords(where)} (${notes.join(', ')})`,
  );
}

function whyNotPassed({ unknown, exitCode }: CheckResult): string {
  if (unknown !== undefined) return UNKNOWN_WORDS[unknown];
  return exitCode === undefined ? 'failed' : `exit ${exitCode}`;
}

/** The failing part of its output; the full output is in `tireless logs`. */
function excerptOf(check: CheckResult, excerpts: ShownExcerpts): readonly Line[] {
  const lines = excerptLines(check, { linesMax: EXCERPT_LINES_MAX, charsMax: TEXT_CHARS_MAX });
  const text = lines.join('\n').replaceAll(TIME_SPENT, '');
  const isSame = text !== '' && excerpts.get(check.name) === text;
  excerpts.set(check.name, text);
  if (isSame) return [line('quiet', '    | the same failure as before')];
  return lines.map((each) => line('quiet', `    | ${each}`));
}

function eventLines(event: Event, evidence: Evidence): readonly Line[] {
  const claimed = event.kind === 'turn-ended' ? (evidence.claim?.made ?? null) : null;
  return [
    ...(event.kind === 'turn-failed'
      ? [
          line(
            'bad',
            `  the agent failed${classWords(event.failure)}: ${oneLine(event.failure.detail, TEXT_CHARS_MAX)}`,
          ),
        ]
      : []),
    ...(event.kind === 'turn-ended' && event.cut !== undefined
      ? [line('doubtful', `  the turn was cut short: ${cutWords(event.cut)}`)]
      : []),
    ...(event.kind === 'steering-given'
      ? [line('quiet', `  message for the next prompt: ${oneLine(event.text, TEXT_CHARS_MAX)}`)]
      : []),
    ...(evidence.checks ?? [])
      .filter((check) => check.flaky === true)
      .map((check) =>
        line('doubtful', `  ${oneLine(check.name, TEXT_CHARS_MAX)} is flaky: it failed, and passed when run again`),
      ),
    ...(claimed === null ? [] : [line('plain', `  the agent claims ${oneLine(claimed, TEXT_CHARS_MAX)}`)]),
    ...(evidence.roomBaseline === undefined
      ? []
      : roomWarnings(evidence.roomBaseline).map((text) => line('doubtful', `  ${text}`))),
    ...(event.kind === 'baseline-taken' && isGreen(evidence.checks ?? [])
      ? [line('doubtful', `  ${GREEN_START}`)]
      : []),
    ...((evidence.protectedFiles?.changed.length ?? 0) > 0
      ? [line('doubtful', `  ${counted(evidence.protectedFiles?.changed.length ?? 0, 'protected file')} changed`)]
      : []),
  ];
}

/** A failure of no known class needs no label, because its own text follows. */
function classWords({ class: kind }: Failure): string {
  return kind === 'unknown' ? '' : ` (${kind})`;
}

/** The end of a loop, or what it waits for, is the first line of the report that follows; the report of a user's pause gives no reason. */
function decisionLines({ event, evidence, decision, dialect }: Progress & { kind: 'decided' }): readonly Line[] {
  if (decision.kind === 'record' || decision.kind === 'abstain') return [];
  const refused = isRefusal({ event, evidence, decision });
  if (decision.kind === 'complete' || decision.kind === 'halt')
    return refused ? [line('alarm', '  → the claim is refused')] : [];
  if (decision.kind === 'pause' && decision.cause !== 'user') return [];
  const tone: Tone = refused ? 'alarm' : decision.kind === 'pause' ? 'doubtful' : 'plain';
  return [
    line(tone, `  → ${refused ? 'the claim is refused; ' : ''}${decisionSentence(atStart(event, decision), dialect)}`),
  ];
}

/** The agent claimed to be done, but the loop continues or is halted. */
export function isRefusal({ event, evidence, decision }: Omit<Progress & { kind: 'decided' }, 'kind'>): boolean {
  const isClaimed = event.kind === 'turn-ended' && (evidence.claim?.made ?? null) !== null;
  return isClaimed && (decision.kind === 'continue' || decision.kind === 'halt');
}

/** The tone of the report about a loop that ended. */
export function outcomeTone(outcome: Outcome | null): Tone {
  if (outcome?.kind === 'completed') return outcome.verified ? 'good' : 'doubtful';
  return outcome?.kind === 'halted' ? 'bad' : 'plain';
}

function line(tone: Tone, text: string): Line {
  return { tone, text };
}
