import type { Proof, Unmet } from './decision.ts';
import type { CheckResult, NearClaim } from './evidence.ts';
import type { Spec } from './loop.ts';

/** The boolean rule that completes a loop. Three-valued: an unknown satisfies nothing, not even `not`. */
export type FinishRule =
  | { readonly kind: 'all'; readonly of: readonly FinishRule[] }
  | { readonly kind: 'any'; readonly of: readonly FinishRule[] }
  | { readonly kind: 'not'; readonly of: FinishRule }
  | { readonly kind: 'claim' }
  | { readonly kind: 'check'; readonly name: string }
  /** A check of kind `file-moved`: objective, but it proves a move, not the work. */
  | { readonly kind: 'file-moved'; readonly name: string }
  | { readonly kind: 'file-predicate'; readonly name: string }
  | { readonly kind: 'criterion'; readonly text: string }
  | { readonly kind: 'approval'; readonly request: string };

export type Facts = {
  readonly claimed: string | null;
  readonly near?: NearClaim | undefined;
  readonly checks: readonly CheckResult[];
  readonly criteriaMet: readonly string[];
  readonly approvals: readonly string[];
};

export type Finding = {
  readonly value: boolean | 'unknown';
  readonly proofs: readonly Proof[];
  readonly unmet: readonly Unmet[];
};

export function evaluate(rule: FinishRule, spec: Spec, facts: Facts): Finding {
  switch (rule.kind) {
    case 'all':
      return conjunction(rule.of.map((part) => evaluate(part, spec, facts)));
    case 'any':
      return disjunction(rule.of.map((part) => evaluate(part, spec, facts)));
    case 'not':
      return negation(evaluate(rule.of, spec, facts), rule.of);
    case 'claim':
      if (facts.claimed !== null) return met({ kind: 'claim', name: facts.claimed });
      return unmet(false, { kind: 'claim', ...(facts.near === undefined ? {} : { near: facts.near }) });
    case 'check':
    case 'file-predicate':
    case 'file-moved':
      return checkFinding(rule, spec, facts);
    case 'criterion':
      return criterionFinding(rule.text, spec, facts);
    case 'approval':
      return facts.approvals.includes(rule.request)
        ? met({ kind: 'approval', name: rule.request })
        : unmet(false, { kind: 'approval', request: rule.request });
  }
}

/** Hold-out checks and the clean room come last: would the rule be met if all hold-out checks passed? */
export function isMetButForHoldouts(rule: FinishRule, spec: Spec, facts: Facts): boolean {
  const holdouts = spec.checks.filter((check) => check.holdout);
  const supposed = holdouts.map((check): CheckResult => ({
    name: check.name,
    result: 'passed',
    durationMs: 0,
    tail: '',
    holdout: true,
  }));
  return (
    evaluate(rule, spec, { ...facts, checks: [...facts.checks.filter((check) => check.holdout !== true), ...supposed] })
      .value === true
  );
}

/** `verified` needs a passed check or a human: claims, the agent's own ticks and moved files are not proof. */
export function isVerified(proofs: readonly Proof[]): boolean {
  return proofs.some((proof) => proof.kind === 'check' || proof.kind === 'approval');
}

/**
 * The default: every check passes and every criterion is met. A claim is needed too if the user asked for one, or if everything passed
 * before the agent began, because green checks then prove nothing about the goal.
 */
export function finishRuleOf(spec: Spec, baseline: readonly CheckResult[]): FinishRule {
  const asked = spec.finish ?? defaultRule(spec, baseline);
  return spec.approveFinish ? { kind: 'all', of: [asked, { kind: 'approval', request: 'finish' }] } : asked;
}

function defaultRule(spec: Spec, baseline: readonly CheckResult[]): FinishRule {
  const checks = spec.checks.map((check): FinishRule => ({
    kind: check.probe.kind === 'file-moved' ? 'file-moved' : 'check',
    name: check.name,
  }));
  const criteria = spec.criteria.map((criterion): FinishRule => ({ kind: 'criterion', text: criterion.text }));
  const visible = spec.checks.filter((check) => !check.holdout);
  const greenBefore =
    visible.length > 0 &&
    visible.every((check) => baseline.some((result) => result.name === check.name && mayBeGreen(spec, result)));
  const needsClaim = spec.claimRequired || visible.length === 0 || greenBefore;
  return { kind: 'all', of: [...checks, ...criteria, ...(needsClaim ? [{ kind: 'claim' } as const] : [])] };
}

/** A check that outlasts the start may turn out to have passed before. Then an agent that merely stops must not complete the loop. */
function mayBeGreen(spec: Spec, { result, unknown }: CheckResult): boolean {
  return result === 'passed' || (spec.greenProvesNothing === true && unknown === 'still-running');
}

function checkFinding(
  rule: { readonly kind: 'check' | 'file-moved' | 'file-predicate'; readonly name: string },
  spec: Spec,
  facts: Facts,
): Finding {
  const check = facts.checks.find((result) => result.name === rule.name);
  if (check?.result === 'passed')
    return met({ kind: rule.kind === 'file-moved' ? 'file-moved' : 'check', name: rule.name });
  const hidden = spec.checks.some((asked) => asked.name === rule.name && asked.holdout)
    ? { holdout: true as const }
    : {};
  if (check === undefined) return unmet('unknown', { kind: 'check', name: rule.name, result: 'not-run', ...hidden });
  return unmet(check.result === 'failed' ? false : 'unknown', {
    kind: 'check',
    name: rule.name,
    result: check.result,
    ...hidden,
  });
}

function criterionFinding(text: string, spec: Spec, facts: Facts): Finding {
  const criterion = spec.criteria.find((candidate) => candidate.text === text);
  if (criterion?.by === 'check') {
    const finding = checkFinding({ kind: 'check', name: criterion.check }, spec, facts);
    return finding.value === true ? finding : unmet(finding.value, { kind: 'criterion', text });
  }
  if (criterion?.by === 'human') {
    return facts.approvals.includes(text)
      ? met({ kind: 'approval', name: text })
      : unmet(false, { kind: 'approval', request: text });
  }
  return facts.criteriaMet.includes(text)
    ? met({ kind: 'criterion', name: text })
    : unmet(false, { kind: 'criterion', text });
}

function conjunction(parts: readonly Finding[]): Finding {
  const value = parts.some((part) => part.value === false)
    ? false
    : parts.some((part) => part.value === 'unknown')
      ? 'unknown'
      : true;
  return {
    value,
    proofs: value === true ? parts.flatMap((part) => part.proofs) : [],
    unmet: parts.flatMap((part) => (part.value === true ? [] : part.unmet)),
  };
}

/** An empty `any` is false. */
function disjunction(parts: readonly Finding[]): Finding {
  const held = parts.filter((part) => part.value === true);
  if (held.length > 0) return { value: true, proofs: held.flatMap((part) => part.proofs), unmet: [] };
  const value = parts.some((part) => part.value === 'unknown') ? 'unknown' : false;
  return { value, proofs: [], unmet: parts.flatMap((part) => part.unmet) };
}

/** A part known to be false satisfies `not`, but proves nothing: absence is not a passed check. */
function negation(inner: Finding, rule: FinishRule): Finding {
  if (inner.value === false) return { value: true, proofs: [], unmet: [] };
  return unmet(inner.value === true ? false : 'unknown', { kind: 'forbidden', what: nameOf(rule) });
}

function nameOf(rule: FinishRule): string {
  switch (rule.kind) {
    case 'all':
    case 'any':
      return `${rule.kind} of ${rule.of.map(nameOf).join(', ')}`;
    case 'not':
      return `not ${nameOf(rule.of)}`;
    case 'claim':
      return 'claim';
    case 'check':
    case 'file-moved':
    case 'file-predicate':
      return `${rule.kind} ${rule.name}`;
    case 'criterion':
      return `criterion ${rule.text}`;
    case 'approval':
      return `approval ${rule.request}`;
  }
}

function met(proof: Proof): Finding {
  return { value: true, proofs: [proof], unmet: [] };
}

function unmet(value: false | 'unknown', what: Unmet): Finding {
  return { value, proofs: [], unmet: [what] };
}
