import type { CheckSpec, Limits, Spec, Timing } from '../../core/loop.ts';
import { DEFAULT_LIMITS } from '../../core/loop.ts';
import type { Configs } from './config-defaults.ts';
import type { SpecOptions } from './options.ts';

/** Where a value of a spec comes from. */
export type Origin = 'typed' | 'template' | 'project' | 'user' | 'built-in';

/** A spec, and what it was built from. */
export type BuiltSpec = {
  readonly spec: Spec;
  /** As they were typed. */
  readonly options: SpecOptions;
  readonly configs: Configs;
  readonly hasTemplateLimit: boolean;
};

/** Typed checks come first, under their own names. */
export function checkOrigins({ spec, options, configs }: BuiltSpec): readonly { check: CheckSpec; from: Origin }[] {
  const { commands = [], probes = [], holdouts = [] } = options.checks ?? {};
  const typed = commands.length + probes.length + holdouts.length;
  const others: Origin = (configs.project?.checks.length ?? 0) > 0 ? 'project' : 'user';
  return spec.checks.map((check, at) => ({ check, from: at < typed ? 'typed' : others }));
}

export function limitOrigin(key: keyof Limits, { spec, options, configs, hasTemplateLimit }: BuiltSpec): Origin {
  if (options.limits?.[key] !== undefined) return 'typed';
  const { project, user } = configs;
  const limit = spec.limits[key];
  // A project may only lower a limit: if its value is not the one in force, the limit has another origin.
  if (project?.limits[key] === limit && limit !== (user?.limits[key] ?? DEFAULT_LIMITS[key])) return 'project';
  if (key === 'iterationsMax' && hasTemplateLimit) return 'template';
  return user?.limits[key] === undefined ? 'built-in' : 'user';
}

export function timingOrigin(
  key: keyof Pick<Timing, 'iterationTimeoutMs' | 'idleTimeoutMs'>,
  { spec, options, configs }: BuiltSpec,
): Origin {
  if (options.timing?.[key] !== undefined) return 'typed';
  if (configs.project?.timing?.[key] === spec.timing[key]) return 'project';
  return configs.user?.timing?.[key] === undefined ? 'built-in' : 'user';
}

export function agentOrigin({ options, configs }: BuiltSpec): Origin {
  if (options.agent?.name !== undefined || options.agent?.command !== undefined) return 'typed';
  const { name, command } = configs.project?.agent ?? {};
  return name !== undefined || command !== undefined ? 'project' : 'user';
}
