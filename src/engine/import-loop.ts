import type { ClaimRule } from '../core/claim.ts';
import { NATIVE_CLAIM } from '../core/claim.ts';
import type { FinishRule } from '../core/finish-rule.ts';
import { documentLimits } from '../core/foreign-file.ts';
import type { CheckSpec, Criterion, Limits, Spec, Timing } from '../core/loop.ts';
import { withOwnChecks } from './own-checks.ts';
import type { StateFileReading } from './new-state-file.ts';
import type { Control, StartRequest } from './ports.ts';

/** The contents of a foreign state file, as far as a native loop supports them. */
export type ImportedLoop = {
  readonly dialect: string;
  readonly active: boolean;
  readonly goal: string;
  readonly claim: ClaimRule;
  readonly finish: FinishRule | null;
  readonly checks: readonly CheckSpec[];
  readonly criteria: readonly Criterion[];
  readonly criteriaMet: readonly string[];
  readonly counted: number;
  /** Only those that the file sets. */
  readonly limits: Partial<Limits>;
  readonly timing: Partial<Timing>;
};

/** The loop of a state file, as a native loop. */
export function importedFrom(dialect: string, reading: StateFileReading): ImportedLoop {
  const { claim, checks = [], finish } = reading;
  const canFinish = claim.texts.length > 0 || checks.length > 0;
  return {
    dialect,
    active: reading.active,
    // If the file itself contains the agent's notes, its body is the goal.
    goal: (reading.claimedIn ?? reading.goal).trim(),
    claim: claim.texts.length > 0 ? claim : NATIVE_CLAIM,
    finish: canFinish ? (finish ?? null) : null,
    checks,
    criteria: reading.criteria,
    criteriaMet: reading.criteriaMet ?? [],
    counted: Math.max(0, reading.counted),
    limits: documentLimits(reading),
    timing: reading.timing ?? {},
  };
}

/** A list of stories without a loop. */
export function importedList(
  dialect: string,
  list: Pick<ImportedLoop, 'goal' | 'claim' | 'criteria' | 'criteriaMet'>,
): ImportedLoop {
  return { ...list, dialect, active: true, finish: null, checks: [], counted: 0, limits: {}, timing: {} };
}

/**
 * The spec with the contents of the file. `typed`: the limits and times given by the user, which override the file. A check that the user
 * added must pass, whatever completes the document's loop.
 */
export function specOfImported(
  imported: ImportedLoop,
  spec: Spec,
  typed: Pick<ImportedLoop, 'limits' | 'timing'>,
): Spec {
  const { claim, checks, criteria, finish, limits, timing } = imported;
  return {
    ...spec,
    claim,
    claimRequired: true,
    checks: [...checks, ...spec.checks],
    criteria,
    limits: { ...spec.limits, ...limits, ...typed.limits },
    timing: { ...spec.timing, ...timing, ...typed.timing },
    ...(finish === null ? {} : { finish: withOwnChecks(finish, spec.checks) }),
  };
}

/** The reading of the only format that can read the file. A string instead of a loop is the reason why a format cannot. */
export function readingOfOnlyFormat(
  tried: readonly (ImportedLoop | string)[],
):
  | { readonly kind: 'found'; readonly imported: ImportedLoop }
  | { readonly kind: 'unclear'; readonly could: readonly string[] } {
  const found = tried.filter((each) => typeof each !== 'string');
  const [only] = found;
  return only !== undefined && found.length === 1
    ? { kind: 'found', imported: only }
    : { kind: 'unclear', could: found.map(({ dialect }) => dialect) };
}

/**
 * Starts it paused, so that nothing runs before the user has looked at it: an import must not cost money. Iterations counted in the file
 * stay used.
 */
export async function startImported(
  request: Omit<StartRequest, 'session'>,
  counted: number,
  control: Pick<Control, 'start' | 'post'>,
): Promise<void> {
  const { loop } = request;
  await control.start({ ...request, session: null });
  if (counted > 0) await control.post(loop, { kind: 'file-edited', edits: {}, limits: {}, counted, gone: false });
  await control.post(loop, { kind: 'pause-requested' });
}
