import type { Unmet } from './decision.ts';
import type { CheckResult } from './evidence.ts';
import { shortOutput } from './failing-part/failing-part.ts';
import type { CheckSpec, Criterion, Probe, Spec, State } from './loop.ts';
import { NAME_BYTES_MAX } from './prompt-limits.ts';
import { nearText } from './prompt-near.ts';
import { hiddenText, roomPart } from './prompt-room.ts';
import { doubtKeys } from './room.ts';
import { bytesOf, codeSpan, fencedTail, listWithin, oneLine } from './quoting.ts';

/** For one check; two or more share twice as many. */
const SEEN_LINES_MAX = 12;
const PROBE_BYTES_MAX = 300;
const CRITERION_BYTES_MAX = 400;
const ASKED_BYTES_MAX = 6000;
const CRITERIA_BYTES_MAX = 3000;
const PASSING_BYTES_MAX = 1000;
const OPEN_CHECKS_BYTES_MAX = 11_000;
const OPEN_CHECK_BYTES_MIN = 1400;
const OPEN_CHECK_BYTES_MAX = 4000;
const OPEN_NAMES_BYTES_MAX = 1000;
const FORBIDDEN_BYTES_MAX = 1000;

/** Which checks will be run, for a prompt before any work was done. */
export function askedPart(spec: Spec, state: State): string {
  const checks = spec.checks.filter((check) => !check.holdout);
  const parts: string[] = [];
  if (checks.length > 0) {
    const lines = checks.map(
      (check) => `${checkText(check)}${nowText(state.baseline?.find((result) => result.name === check.name))}`,
    );
    parts.push(
      'These checks are run for you when your turn ends; you may run them too. Pass them by doing the work, not by weakening them.',
      listWithin(lines, ASKED_BYTES_MAX),
      ...failingAtStart(checks, spec, state.baseline ?? []),
    );
  }
  if (spec.criteria.length > 0) parts.push(...criteriaPart(spec.criteria, spec, 'These must be true:'));
  return parts.length === 0 ? '' : ['# What is checked', ...parts].join('\n\n');
}

/** How the checks fail now, so that the agent need not run them to find out. */
function failingAtStart(checks: readonly CheckSpec[], spec: Spec, baseline: readonly CheckResult[]): string[] {
  const failing = checks.flatMap(({ name }): UnmetCheck[] => {
    const result = baseline.find((each) => each.name === name);
    return result?.result !== 'failed' || result.tail.trim() === '' ? [] : [{ kind: 'check', name, result: 'failed' }];
  });
  return openChecks(failing, spec, baseline);
}

/** The open findings that the agent may know: about hold-out checks, only whether one fails. */
export function openFindings(spec: Spec, state: State): { readonly open: readonly Unmet[]; readonly hidden: boolean } {
  const all = state.plan.unmet.filter((what) => isOpen(what, spec, state));
  const open = all.filter((what) => !isHidden(what, spec));
  const hidden = all.some((what) => !open.includes(what) && 'result' in what && what.result === 'failed');
  return { open, hidden };
}

/** Why the finish rule is not met. */
export function openPart(spec: Spec, state: State): string {
  return `# Still open\n\n${openText(spec, state)}`;
}

export function openText(spec: Spec, state: State): string {
  const { open, hidden } = openFindings(spec, state);
  const parts = [
    ...openChecks(open.filter(isCheck), spec, state.checks, spec.driver === 'session'),
    ...criteriaPart(
      open.flatMap((what) => (what.kind === 'criterion' ? [criterionOf(what.text, spec)] : [])),
      spec,
      'These are not true yet:',
    ),
    ...forbiddenPart(open),
    // Loaded at its first call in the hook.
    ...(doubtKeys(open).length === 0
      ? []
      : roomPart(open, state, spec.driver === 'session' ? SEEN_LINES_MAX : Infinity)),
    ...(hidden ? [hiddenText(true)] : []),
  ];
  const claim = open.find((what) => what.kind === 'claim');
  if (claim?.near !== undefined) parts.push(nearText(claim.near, spec.claim));
  else if (parts.length === 0) parts.push(claim === undefined ? hiddenText(false) : unclaimed(spec, state));
  return parts.join('\n\n');
}

/** An agent with a fresh context does not know what it might break. */
export function passingPart(spec: Spec, state: State): string {
  const passing = spec.checks.filter((check) => !check.holdout && resultOf(check.name, state)?.result === 'passed');
  if (passing.length === 0) return '';
  return `These checks pass; keep them passing:\n\n${listWithin(passing.map(checkText), PASSING_BYTES_MAX)}`;
}

/** After a pause the plan may be older than the facts: anything met by now is not listed as open. */
function isOpen(what: Unmet, spec: Spec, state: State): boolean {
  switch (what.kind) {
    case 'check':
      return resultOf(what.name, state)?.result !== 'passed';
    case 'criterion': {
      const criterion = criterionOf(what.text, spec);
      return (
        !state.criteriaMet.includes(what.text) &&
        !(criterion.by === 'check' && resultOf(criterion.check, state)?.result === 'passed')
      );
    }
    case 'claim':
      return state.claimed === null;
    case 'forbidden':
    case 'room':
    case 'judge-file':
    case 'sign':
    case 'room-lost':
      return true;
    case 'approval':
      return false; // For a person to give, not for the agent to work on.
  }
}

function isHidden(what: Unmet, spec: Spec): boolean {
  const holdouts = spec.checks.filter((check) => check.holdout).map((check) => check.name);
  switch (what.kind) {
    case 'check':
    case 'room':
      return what.holdout === true || holdouts.includes(what.name);
    case 'criterion': {
      const criterion = criterionOf(what.text, spec);
      return criterion.by === 'check' && holdouts.includes(criterion.check);
    }
    case 'forbidden':
      return holdouts.some((name) => what.what.includes(name));
    case 'claim':
    case 'approval':
    case 'judge-file':
    case 'sign':
    case 'room-lost':
      return false;
  }
}

type UnmetCheck = Unmet & { readonly kind: 'check' };

function isCheck(what: Unmet): what is UnmetCheck {
  return what.kind === 'check';
}

/**
 * `isSeen`: the host also shows the text to the user. It then contains only the failing part of an output, because the agent can run the
 * check.
 */
function openChecks(
  checks: readonly UnmetCheck[],
  spec: Spec,
  results: readonly CheckResult[],
  isSeen = false,
): string[] {
  const shown = checks.slice(0, Math.floor(OPEN_CHECKS_BYTES_MAX / OPEN_CHECK_BYTES_MIN));
  const share = Math.min(OPEN_CHECK_BYTES_MAX, Math.floor(OPEN_CHECKS_BYTES_MAX / Math.max(1, shown.length)));
  const linesMax = isSeen ? Math.min(SEEN_LINES_MAX, Math.ceil((2 * SEEN_LINES_MAX) / shown.length)) : Infinity;
  const parts = shown.map((what) => openCheck(what, spec, resultIn(results, what.name), { bytesMax: share, linesMax }));
  const rest = checks.slice(shown.length).map((what) => codeSpan(what.name, NAME_BYTES_MAX));
  return rest.length === 0
    ? parts
    : [...parts, `These checks do not pass either:\n\n${listWithin(rest, OPEN_NAMES_BYTES_MAX)}`];
}

type Room = { readonly bytesMax: number; readonly linesMax: number };

function openCheck(
  what: UnmetCheck,
  spec: Spec,
  result: CheckResult | undefined,
  { bytesMax, linesMax }: Room,
): string {
  const check = spec.checks.find((candidate) => candidate.name === what.name);
  const sentences = [`The check ${codeSpan(what.name, NAME_BYTES_MAX)} ${answerText(what, check, result)}.`];
  if (what.regressed === true) sentences.push('It passed before you began; a change since then broke it.');
  if (check !== undefined && !isNamedByCommand(check)) sentences.push(`It ${probeText(check.probe)}.`);
  const sentence = sentences.join(' ');
  if (result === undefined || result.tail.trim() === '') return sentence;
  const tail = result.tail.trimEnd();
  // Loaded at its first call in the hook.
  const output = linesMax === Infinity ? tail : shortOutput(tail, linesMax);
  const lead = `${sentence} From its output${output === tail ? '' : ' (run it to see the rest)'}:\n\n`;
  return lead + fencedTail(output, bytesMax - bytesOf(lead));
}

function answerText(what: UnmetCheck, check: CheckSpec | undefined, result: CheckResult | undefined): string {
  if (what.result === 'failed')
    return result?.exitCode === undefined ? 'fails' : `fails with exit code ${result.exitCode}`;
  switch (result?.unknown) {
    case 'timed-out':
      return check === undefined ? 'timed out' : `timed out after ${Math.ceil(check.timeoutMs / 1000)} s`;
    case 'not-runnable':
      return 'could not be run';
    case 'not-allowed':
      return 'may not run before a person allows it';
    case 'still-running':
      return 'is still running';
    case 'no-report':
      return 'passed, but proves nothing without its report';
    case 'not-run':
    case undefined:
      return what.result === 'not-run' || result?.unknown === 'not-run' ? 'was not run' : 'gave no clear result';
  }
}

function criteriaPart(criteria: readonly Criterion[], spec: Spec, lead: string): string[] {
  if (criteria.length === 0) return [];
  const lines = criteria.map(
    (criterion) =>
      `${oneLine(criterion.text, CRITERION_BYTES_MAX)}${criterion.by === 'human' ? ' (a person decides)' : ''}`,
  );
  const ticked = spec.tracker !== undefined && criteria.some((criterion) => criterion.by === 'agent');
  const how = ticked ? ['Tick a line off in your notes (`- [x]` and its text) when it is true.'] : [];
  return [`${lead}\n\n${listWithin(lines, CRITERIA_BYTES_MAX)}`, ...how];
}

function forbiddenPart(open: readonly Unmet[]): string[] {
  const lines = open.flatMap((what) => (what.kind === 'forbidden' ? [oneLine(what.what, PROBE_BYTES_MAX)] : []));
  return lines.length === 0 ? [] : [`These are true, and must not be:\n\n${listWithin(lines, FORBIDDEN_BYTES_MAX)}`];
}

function unclaimed(spec: Spec, state: State): string {
  const checks = spec.checks.filter((check) => !check.holdout);
  const green = checks.length > 0 && checks.every((check) => resultOf(check.name, state)?.result === 'passed');
  const so = green ? 'All checks pass' : 'You have not said that the goal is met';
  return `${so}. If the goal is really met, say so as described under "How to end"; otherwise continue.`;
}

function checkText(check: CheckSpec): string {
  const name = codeSpan(check.name, NAME_BYTES_MAX);
  return isNamedByCommand(check) ? name : `${name} ${probeText(check.probe)}`;
}

function isNamedByCommand({ name, probe }: CheckSpec): boolean {
  return probe.kind === 'command' && probe.command === name && bytesOf(name) <= NAME_BYTES_MAX;
}

function probeText(probe: Probe): string {
  switch (probe.kind) {
    case 'command':
      return `runs ${show(probe.command)}`;
    case 'file-exists':
      return `checks that ${show(probe.path)} exists`;
    case 'file-moved':
      return `checks that ${show(probe.path)} was moved to ${show(probe.folder)}`;
    case 'file-matches':
      return `checks that ${show(probe.path)} matches ${show(probe.pattern)}`;
    case 'json-value':
      return `checks that ${show(probe.pointer)} in ${show(probe.path)} is ${show(JSON.stringify(probe.equals) ?? 'undefined')}`;
    case 'git-clean':
      return 'checks that git has no uncommitted changes';
  }
}

function show(text: string): string {
  return codeSpan(text, PROBE_BYTES_MAX);
}

function nowText(result: CheckResult | undefined): string {
  if (result === undefined || result.result === 'unknown') return '';
  return result.result === 'passed' ? ' (passes now; keep it passing)' : ' (fails now)';
}

function criterionOf(text: string, spec: Spec): Criterion {
  return spec.criteria.find((criterion) => criterion.text === text) ?? { text, by: 'agent' };
}

function resultOf(name: string, state: State): CheckResult | undefined {
  return resultIn(state.checks, name);
}

function resultIn(results: readonly CheckResult[], name: string): CheckResult | undefined {
  return results.find((result) => result.name === name);
}
