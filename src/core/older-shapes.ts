/**
 * A journal outlives the version that wrote it. Fields added later get their documented default here, once, when an entry is read, so that
 * no rule ever compares with `undefined`. Limits are completed where they are merged (`limitsWith`), and prompts missing from an entry
 * where they are compared (`deliveredPrompt`). State needs none of this: a snapshot of another version is not used (`stores/snapshot.ts`),
 * and the fold rebuilds the state.
 */
import { NATIVE_CLAIM } from './claim.ts';
import type { Entry } from './journal.ts';
import type { CheckSpec, Edits, Spec } from './loop.ts';
import { DEFAULT_CHECK_TIMEOUT_MS, DEFAULT_LIMITS, DEFAULT_TIMING, limitsWith } from './loop.ts';

export function completeEntry(entry: Entry): Entry {
  const { event } = entry;
  if (event.kind === 'loop-started') return { ...entry, event: { ...event, spec: completeSpec(event.spec) } };
  if (event.kind === 'file-edited') return { ...entry, event: { ...event, edits: completeEdits(event.edits) } };
  return entry;
}

function completeSpec(spec: Partial<Spec>): Spec {
  return {
    ...spec,
    version: spec.version ?? 1,
    goal: spec.goal ?? '',
    driver: spec.driver ?? 'outer',
    claim: { ...NATIVE_CLAIM, ...spec.claim },
    claimRequired: spec.claimRequired ?? false,
    checks: (spec.checks ?? []).map(completeCheck),
    checksInOrder: spec.checksInOrder ?? false,
    criteria: spec.criteria ?? [],
    protect: spec.protect ?? [],
    limits: limitsWith(DEFAULT_LIMITS, spec.limits),
    timing: { ...DEFAULT_TIMING, ...spec.timing },
    approveFinish: spec.approveFinish ?? false,
  };
}

/** Contains only what an edit changed, and each of those fields is complete. */
function completeEdits(edits: Edits): Edits {
  const { claim, checks, timing } = edits;
  return {
    ...edits,
    ...(claim === undefined ? {} : { claim: { ...NATIVE_CLAIM, ...claim } }),
    ...(checks === undefined ? {} : { checks: checks.map(completeCheck) }),
    ...(timing === undefined ? {} : { timing: { ...DEFAULT_TIMING, ...timing } }),
  };
}

function completeCheck(check: CheckSpec): CheckSpec {
  return { ...check, timeoutMs: check.timeoutMs ?? DEFAULT_CHECK_TIMEOUT_MS, holdout: check.holdout ?? false };
}
