import { NATIVE_CLAIM } from '../core/claim.ts';
import { Fault } from '../core/fault.ts';
import type { AgentSpec, CheckSpec, Criterion, Limits, LoopId, Spec, Timing } from '../core/loop.ts';
import { newSpec } from '../engine/new-spec.ts';
import { withUniqueNames } from '../engine/unique-check-names.ts';
import { agentFromFlags, requireToldLimits } from './agent-from-flags.ts';
import { checksIn, limitsIn, timingIn, withDefaults } from './config-defaults.ts';
import { checksFromFlags, inProject, withShortNames } from './checks-from-flags.ts';
import type { LimitFlags, RunFlags } from './loop-flags.ts';
import type { RepositoryConfig } from '../engine/repository-policy.ts';
import type { Template } from './templates.ts';

type SpecInput = {
  readonly loop: LoopId;
  readonly goal: string;
  readonly flags: RunFlags;
  /** `null` = no configuration counts. */
  readonly repository: RepositoryConfig | null;
  /** The user's own defaults. */
  readonly user?: RepositoryConfig | null;
  readonly template?: Pick<Template, 'claim' | 'iterationsMax'> | null;
  /** `session`: no agent is started, and a turn has no time limit unless one is typed. */
  readonly driver?: Spec['driver'];
  /** An agent that flags cannot name; it reports what it uses. */
  readonly agent?: AgentSpec;
};

/** What was typed and what the repository adds, as the frozen spec of a loop. Pure; throws `USAGE` only. */
export function specFromFlags(input: SpecInput): Spec {
  const { loop, goal, repository, user = null, template, driver = 'outer' } = input;
  const configs = { project: repository, user };
  const flags = withDefaults(input.flags, configs);
  const criteria = criteriaFrom(flags.criterion);
  const tracker =
    flags.tracker === undefined
      ? criteria.length > 0
        ? defaultTracker(loop)
        : undefined
      : inProject(flags.tracker, '--tracker');
  const checks = withUniqueNames([...checksFromFlags(flags), ...withShortNames(checksIn(flags, configs))]);
  const limits = { ...limitsIn(configs, template?.iterationsMax ?? undefined), ...typedLimits(flags) };
  const agent = driver === 'session' ? null : (input.agent ?? agentFromFlags(flags));
  if (agent !== null && input.agent === undefined) requireToldLimits(agent, limits);
  return newSpec(goal, driver, {
    // A template's words only replace DONE; a typed claim is required in addition to the checks.
    claim: claimFrom(flags.claim.length === 0 && typeof template?.claim === 'string' ? [template.claim] : flags.claim),
    claimRequired: flags.claim.length > 0,
    checks,
    checksInOrder: flags['checks-in-order'],
    criteria,
    protect: [...flags.protect, ...(repository?.protect ?? []), ...(user?.protect ?? [])],
    ...roomFrom(flags, checks),
    limits,
    timing: timingFrom(flags, timingIn(configs, driver)),
    approveFinish: flags['approve-finish'],
    ...(tracker === undefined ? {} : { tracker }),
    ...(agent === null ? {} : { agent }),
    ...containmentFrom(flags),
  });
}

function containmentFrom(flags: RunFlags): Pick<Spec, 'containment'> {
  if (flags.sandbox && flags['no-contain'])
    throw new Fault(
      'USAGE',
      'Cannot use both --sandbox and --no-contain: a sandbox contains the processes too. Give one.',
    );
  return flags.sandbox ? { containment: 'sandbox' } : flags['no-contain'] ? { containment: 'none' } : {};
}

/** Only the typed limits: those that `resume` may raise. */
export function typedLimits(flags: LimitFlags): Partial<Limits> {
  return {
    ...(flags['max-iterations'] === undefined ? {} : { iterationsMax: flags['max-iterations'] }),
    ...(flags['max-duration'] === undefined ? {} : { durationMaxMs: flags['max-duration'] }),
    ...(flags['max-cost'] === undefined ? {} : { costMaxUsd: flags['max-cost'] }),
    ...(flags['max-tokens'] === undefined ? {} : { tokensMax: flags['max-tokens'] }),
    ...(flags['max-faults'] === undefined ? {} : { faultsInRowMax: flags['max-faults'] }),
    ...(flags['max-no-progress'] === undefined ? {} : { noProgressMax: flags['max-no-progress'] }),
  };
}

/** Only commands can be run elsewhere. */
export function roomFrom(
  flags: Pick<RunFlags, 'no-room' | 'room-setup' | 'room-keep' | 'free'>,
  checks: readonly CheckSpec[],
): Pick<Spec, 'room'> {
  if (flags['no-room'] || !checks.some((check) => check.probe.kind === 'command')) return {};
  const setup = flags['room-setup'];
  const keep = flags['room-keep'].map((given) => inProject(given, '--room-keep'));
  return { room: { keep, free: flags.free, ...(setup === undefined ? {} : { setup }) } };
}

function defaultTracker(loop: LoopId): string {
  return `.tireless/tracker-${loop}.md`;
}

function timingFrom(flags: RunFlags, timing: Timing): Timing {
  return {
    ...timing,
    iterationTimeoutMs: flags['iteration-timeout'] ?? timing.iterationTimeoutMs,
    idleTimeoutMs: flags['idle-timeout'] ?? timing.idleTimeoutMs,
    pauseBetweenMs: flags['pause-between'] ?? timing.pauseBetweenMs,
  };
}

function claimFrom(texts: readonly string[]): Spec['claim'] {
  if (texts.some((each) => each.trim() === ''))
    throw new Fault(
      'USAGE',
      'Cannot use an empty text for --claim: nothing would match it. Give the text, such as --claim DONE.',
    );
  return texts.length === 0 ? NATIVE_CLAIM : { ...NATIVE_CLAIM, texts };
}

function criteriaFrom(texts: readonly string[]): readonly Criterion[] {
  const lines = texts.map((each) => each.trim());
  if (lines.some((line) => line === '' || line.includes('\n')))
    throw new Fault(
      'USAGE',
      'Cannot use an empty text or several lines for --criterion: it becomes one line of the tracker. Give it once per line.',
    );
  return [...new Set(lines)].map((line) => ({ text: line, by: 'agent' }));
}
