import type { CheckResult, Evidence } from './evidence.ts';
import type { Limit } from './loop.ts';
import { limitValue } from './loop.ts';
import { similarity } from './message-similarity.ts';

/** How the next prompt reacts to a loop that is not moving: not at all, with a nudge, or with "stop, diagnose first". */
export type Strategy = 'steady' | 'nudge' | 'diagnose';

/** What is kept of earlier iterations to judge whether this one made progress. */
export type ProgressState = {
  /** In halves: an iteration without progress adds 2, one with only weak signs adds 1, an advance resets it to 0. */
  readonly stalledHalves: number;
  /** Recent work-tree fingerprints: returning to one of them is going in circles. */
  readonly workspaces: readonly string[];
  readonly sketch: readonly number[];
};

const WORKSPACES_KEPT = 16;
const SIMILAR = 0.8;

export const NO_PROGRESS_YET: ProgressState = { stalledHalves: 0, workspaces: [], sketch: [] };

type Signs = Partial<Evidence>;

type Before = {
  readonly progress: ProgressState;
  readonly checks: readonly CheckResult[];
  readonly criteriaMet: readonly string[];
};

/**
 * Several signals, because each one alone misleads: research leaves the files alone, thrashing changes them endlessly, and
 * an agent can rephrase "still working on it" forever.
 */
export function judgeProgress(before: Before, evidence: Signs): ProgressState {
  const { progress } = before;
  const workspace = evidence.workspace ?? null;
  const sketch = evidence.message?.sketch ?? [];
  const step = stepOf(before, evidence);
  return {
    // A turn begun by the user does not count as stalled: someone is present.
    stalledHalves:
      step === 'advance' || evidence.sentBack === false ? 0 : progress.stalledHalves + (step === 'weak' ? 1 : 2),
    workspaces:
      workspace === null
        ? progress.workspaces
        : [...progress.workspaces.filter((seen) => seen !== workspace), workspace].slice(-WORKSPACES_KEPT),
    sketch: sketch.length > 0 ? sketch : progress.sketch,
  };
}

/** The first iteration is judged against the work tree as it was at the start. */
export function startProgress(evidence: Evidence): ProgressState {
  const workspace = evidence.workspace ?? null;
  return { ...NO_PROGRESS_YET, workspaces: workspace === null ? [] : [workspace] };
}

export function strategyFor(progress: ProgressState, noProgressMax: Limit): Strategy {
  const share = progress.stalledHalves / 2 / limitValue(noProgressMax);
  if (share >= 2 / 3) return 'diagnose';
  return share >= 1 / 3 ? 'nudge' : 'steady';
}

/**
 * Can a look at the work tree change this decision? Not while the strategy would stay `steady` even if nothing moved. An iteration without
 * a look counts as unchanged; the look before the first nudge compares with the last known tree, and any difference resets the count. So a
 * halt is always based on actual looks, and only ends a loop whose tree is back where it was.
 */
export function needsWorkspace(before: Before, unlooked: Signs, noProgressMax: Limit): boolean {
  return strategyFor(judgeProgress(before, unlooked), noProgressMax) !== 'steady';
}

export function isStalled(progress: ProgressState, noProgressMax: Limit): boolean {
  return progress.stalledHalves / 2 >= limitValue(noProgressMax);
}

function stepOf(before: Before, evidence: Signs): 'advance' | 'weak' | 'still' {
  const checks = evidence.checks ?? [];
  const failing = failingOf(checks);
  const failedBefore = failingOf(before.checks);
  const workspaceNew =
    typeof evidence.workspace === 'string' && !before.progress.workspaces.includes(evidence.workspace);
  const fewerFail =
    before.checks.length > 0 &&
    failing.size < failedBefore.size &&
    [...failing.keys()].every((name) => failedBefore.has(name));
  const moreCriteria = (evidence.criteriaMet ?? []).some((text) => !before.criteriaMet.includes(text));
  if (fewerFail || moreCriteria) return 'advance';

  // Changed files are an advance only if the failing checks changed with them: otherwise it may be thrashing.
  const failsDifferently = [...failing].some(([name, fingerprint]) => failedBefore.get(name) !== fingerprint);
  if (workspaceNew && (failing.size === 0 || failsDifferently)) return 'advance';

  const message = evidence.message;
  const saysSomethingNew =
    message !== undefined && message.sketch.length > 0 && similarity(message.sketch, before.progress.sketch) < SIMILAR;
  const toolsUsed = (evidence.toolCalls ?? 0) > 0;
  return workspaceNew || toolsUsed || saysSomethingNew ? 'weak' : 'still';
}

/** Name of each failing check -> fingerprint of its output. */
function failingOf(checks: readonly CheckResult[]): Map<string, string> {
  return new Map(
    checks.filter((check) => check.result !== 'passed').map((check) => [check.name, check.fingerprint ?? '']),
  );
}
