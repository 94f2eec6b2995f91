import type { FinishRule } from '../core/finish-rule.ts';
import type { FileReading } from '../core/foreign-file.ts';
import type { CheckSpec, Spec } from '../core/loop.ts';
import type { Loaded } from './ports.ts';

/** The rule of a document plus the user's own checks, which must pass whatever completes the document's loop. */
export function withOwnChecks(rule: FinishRule, own: readonly CheckSpec[]): FinishRule {
  if (own.length === 0) return rule;
  const asked = own.map((check): FinishRule => ({
    kind: check.probe.kind === 'file-moved' ? 'file-moved' : 'check',
    name: check.name,
  }));
  return { kind: 'all', of: [rule, ...asked] };
}

/** The document's checks and rule, then the user's checks, which must pass whatever completes the document's loop. */
export function finishingOf(
  reading: FileReading & { kind: 'loop' },
  own: readonly CheckSpec[],
): Pick<Spec, 'checks' | 'finish'> {
  const checks = [...(reading.checks ?? []), ...own];
  return reading.finish === undefined ? { checks } : { checks, finish: withOwnChecks(reading.finish, own) };
}

/** The checks that are not defined in the file. A loop that began later (`beginLater`) got them then. */
export function ownChecks({ asked, spec, state }: Loaded): readonly CheckSpec[] {
  const { checks, dialect } = state.edits.dialect === undefined ? asked : spec;
  return checks.filter((check) => dialect?.checks?.includes(check.name) !== true);
}
