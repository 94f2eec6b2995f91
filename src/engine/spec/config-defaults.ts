import type { CheckSpec, Limits, Spec, Timing } from '../../core/loop.ts';
import { DEFAULT_LIMITS } from '../../core/loop.ts';
import { defaultTiming } from '../new-spec.ts';
import type { RepositoryConfig } from '../repository-policy.ts';
import { lowerLimits, lowerTiming } from '../repository-policy.ts';
import type { AgentOptions, SpecOptions } from './options.ts';

/** The files with defaults. Typed values override the project's, the project's the user's, and the user's the built-in ones. */
export type Configs = { readonly project: RepositoryConfig | null; readonly user: RepositoryConfig | null };

export const NO_CONFIGS: Configs = { project: null, user: null };

/** The typed options, completed from the files. Checks, limits and times have their own functions. */
export function withDefaults(options: SpecOptions, configs: Configs): SpecOptions {
  const { claim = [], approve = false } = finishOf(configs);
  const { claims = [] } = options;
  return {
    ...options,
    agent: agentWithDefaults(options.agent ?? {}, configs),
    claims: claims.length > 0 ? claims : claim,
    approveFinish: options.approveFinish === true || approve,
  };
}

/** Does an unproven completion count as a failure? */
export function requiresVerified(configs: Configs): boolean {
  return finishOf(configs).requireVerified ?? false;
}

function finishOf({ project, user }: Configs): NonNullable<RepositoryConfig['finish']> {
  return { ...user?.finish, ...project?.finish };
}

/** A typed agent gets the arguments from a file only if that file names the same agent. */
export function agentWithDefaults(options: AgentOptions, configs: Configs): AgentOptions {
  const { name, command, args = [] } = options;
  const isTyped = name !== undefined || command !== undefined;
  const config = [configs.project, configs.user].find((each) =>
    isTyped
      ? name !== undefined && each?.agent?.name === name
      : each?.agent?.name !== undefined || each?.agent?.command !== undefined,
  );
  if (config?.agent === undefined) return options;
  const from = config.agent;
  return {
    name: isTyped ? name : from.name,
    command: isTyped ? command : from.command,
    args: args.length > 0 ? args : (from.args ?? []),
    ...(isTyped ? {} : { file: config.file }),
  };
}

/** The project's checks are added to the typed ones; the user's are used only if there are no others. */
export function checksIn({ project, user }: Configs, typed: readonly CheckSpec[]): readonly CheckSpec[] {
  const ofProject = project?.checks ?? [];
  return ofProject.length > 0 || typed.length > 0 ? ofProject : (user?.checks ?? []);
}

/** Without the typed limits. `iterationsMax`: from a template, whose name was typed. */
export function limitsIn({ project, user }: Configs, iterationsMax: Limits['iterationsMax'] | undefined): Limits {
  const own = { ...DEFAULT_LIMITS, ...user?.limits, ...(iterationsMax === undefined ? {} : { iterationsMax }) };
  return lowerLimits(own, project?.limits ?? {});
}

/** In a session, an iteration has no time limit unless one is typed: its user is present. */
export function timingIn({ project, user }: Configs, driver: Spec['driver']): Timing {
  const built = defaultTiming(driver);
  if (driver === 'session') return built;
  return lowerTiming({ ...built, ...user?.timing }, project?.timing ?? {});
}
