import type { ClaimRule } from '../core/claim.ts';
import { NATIVE_CLAIM } from '../core/claim.ts';
import type { FinishRule } from '../core/finish-rule.ts';
import { documentLimits } from '../core/foreign-file.ts';
import type { CheckSpec, Criterion, Limits, Spec, Timing } from '../core/loop.ts';
import type { StateFileReading } from './new-state-file.ts';

/** What a foreign state file asks for, as far as a native loop can keep it. */
export type Imported = {
  readonly dialect: string;
  readonly active: boolean;
  readonly goal: string;
  readonly claim: ClaimRule;
  readonly finish: FinishRule | null;
  readonly checks: readonly CheckSpec[];
  readonly criteria: readonly Criterion[];
  readonly criteriaMet: readonly string[];
  readonly counted: number;
  /** Only those the file knows. */
  readonly limits: Partial<Limits>;
  readonly timing: Partial<Timing>;
};

/** The loop of a state file, as a native one. */
export function importedFrom(dialect: string, reading: StateFileReading): Imported {
  const { claim, checks = [], finish } = reading;
  const canFinish = claim.texts.length > 0 || checks.length > 0;
  return {
    dialect,
    active: reading.active,
    // A file that is itself the agent's notes says what to do in its body.
    goal: (reading.claimedIn ?? reading.goal).trim(),
    claim: claim.texts.length > 0 ? claim : NATIVE_CLAIM,
    finish: canFinish ? (finish ?? null) : null,
    checks,
    criteria: reading.criteria,
    criteriaMet: reading.criteriaMet ?? [],
    counted: reading.counted,
    limits: documentLimits(reading),
    timing: reading.timing ?? {},
  };
}

/**
 * The spec with what the file asks for. `typed` are the limits and times that the user gave: they win over the file. A check that the user
 * added has to pass, whatever completes the document's loop.
 */
export function specOfImported(imported: Imported, spec: Spec, typed: Pick<Imported, 'limits' | 'timing'>): Spec {
  const { claim, checks, criteria, finish, limits, timing } = imported;
  const own = spec.checks.map((check): FinishRule => ({ kind: 'check', name: check.name }));
  return {
    ...spec,
    claim,
    claimRequired: true,
    checks: [...checks, ...spec.checks],
    criteria,
    limits: { ...spec.limits, ...limits, ...typed.limits },
    timing: { ...spec.timing, ...timing, ...typed.timing },
    ...(finish === null ? {} : { finish: own.length === 0 ? finish : { kind: 'all', of: [finish, ...own] } }),
  };
}
