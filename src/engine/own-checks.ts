import type { FinishRule } from '../core/finish-rule.ts';
import type { CheckSpec } from '../core/loop.ts';

/** The rule of a document plus the user's own checks, which must pass whatever completes the document's loop. */
export function withOwnChecks(rule: FinishRule, own: readonly CheckSpec[]): FinishRule {
  if (own.length === 0) return rule;
  const asked = own.map((check): FinishRule => ({
    kind: check.probe.kind === 'file-moved' ? 'file-moved' : 'check',
    name: check.name,
  }));
  return { kind: 'all', of: [rule, ...asked] };
}
