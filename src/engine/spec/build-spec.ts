import { NATIVE_CLAIM } from '../../core/claim.ts';
import { Fault } from '../../core/fault.ts';
import type { AgentSpec, Criterion, LoopId, Spec } from '../../core/loop.ts';
import { newSpec } from '../new-spec.ts';
import { withUniqueNames } from '../unique-check-names.ts';
import { buildChecks, buildRoom, withShortNames } from './build-checks.ts';
import { chooseAgent, requireReportedLimits } from './choose-agent.ts';
import type { Configs } from './config-defaults.ts';
import { checksIn, limitsIn, NO_CONFIGS, timingIn, withDefaults } from './config-defaults.ts';
import type { OptionSource, SpecOptions } from './options.ts';

export type SpecRequest = {
  readonly loop: LoopId;
  readonly goal: string;
  readonly options: SpecOptions;
  /** Absent = no configuration is used. */
  readonly configs?: Configs;
  readonly template?: { readonly claim: string | null; readonly iterationsMax: number | null } | null;
  /** `session`: no agent is started, and a turn has no time limit unless one is requested. */
  readonly driver?: Spec['driver'];
  /** An agent that options cannot name, such as a function; it reports what it uses. */
  readonly agent?: AgentSpec;
};

/** The frozen spec of a loop, from the request and the configuration. Pure; throws only `USAGE`. */
export function buildSpec(request: SpecRequest, source: OptionSource): Spec {
  const { loop, goal, configs = NO_CONFIGS, template, driver = 'outer' } = request;
  const options = withDefaults(request.options, configs);
  const { claims = [], tracker: named } = options;
  const criteria = criteriaFrom(options.criteria ?? [], source);
  const tracker = named ?? (criteria.length > 0 ? defaultTracker(loop) : undefined);
  const typed = buildChecks(options.checks ?? {}, source);
  const checks = withUniqueNames([...typed, ...withShortNames(checksIn(configs, typed))]);
  const limits = { ...limitsIn(configs, template?.iterationsMax ?? undefined), ...options.limits };
  const agent = driver === 'session' ? null : (request.agent ?? chooseAgent(options.agent ?? {}, source));
  if (agent !== null && request.agent === undefined) requireReportedLimits(agent, limits, source);
  return newSpec(goal, driver, {
    // A template's words only replace DONE; a typed claim is required in addition to the checks.
    claim: claimFrom(claims.length === 0 && typeof template?.claim === 'string' ? [template.claim] : claims, source),
    claimRequired: claims.length > 0,
    checks,
    checksInOrder: options.checksInOrder ?? false,
    criteria,
    protect: [...(options.protect ?? []), ...(configs.project?.protect ?? []), ...(configs.user?.protect ?? [])],
    ...buildRoom(options.room ?? {}, checks),
    limits,
    timing: { ...timingIn(configs, driver), ...options.timing },
    approveFinish: options.approveFinish ?? false,
    ...(tracker === undefined ? {} : { tracker }),
    ...(agent === null ? {} : { agent }),
    ...(options.containment === undefined ? {} : { containment: options.containment }),
  });
}

function defaultTracker(loop: LoopId): string {
  return `.tireless/tracker-${loop}.md`;
}

function claimFrom(texts: readonly string[], { nameOf, written }: OptionSource): Spec['claim'] {
  if (texts.some((each) => each.trim() === ''))
    throw new Fault(
      'USAGE',
      `Cannot use an empty string for ${nameOf('claims')}: nothing would match it. Give the text, such as ${written('claims', 'DONE')}.`,
    );
  return texts.length === 0 ? NATIVE_CLAIM : { ...NATIVE_CLAIM, texts };
}

function criteriaFrom(texts: readonly string[], { nameOf }: OptionSource): readonly Criterion[] {
  const lines = texts.map((each) => each.trim());
  if (lines.some((line) => line === '' || line.includes('\n')))
    throw new Fault(
      'USAGE',
      `Cannot use an empty string or several lines for ${nameOf('criteria')}: it becomes one line of the tracker. Give each line on its own.`,
    );
  return [...new Set(lines)].map((line) => ({ text: line, by: 'agent' }));
}
