import type { CheckSpec, Limits, Spec, Timing } from '../../core/loop.ts';
import { DEFAULT_LIMITS } from '../../core/loop.ts';
import { defaultTiming } from '../new-spec.ts';
import type { RepositoryConfig } from '../repository-policy.ts';
import { lowerLimits, lowerTiming } from '../repository-policy.ts';
import type { AgentOptions, SpecOptions } from './options.ts';

/** The files that hold defaults. Typed values win over the project's, the project's over the user's, and the user's over the built-in ones. */
export type Configs = { readonly project: RepositoryConfig | null; readonly user: RepositoryConfig | null };

export const NO_CONFIGS: Configs = { project: null, user: null };

/** What was typed, completed from the files. Checks, limits and times have functions of their own. */
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

/** How a completion that is not proven counts. */
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
  const from = [configs.project?.agent, configs.user?.agent].find((each) =>
    isTyped ? name !== undefined && each?.name === name : each?.name !== undefined || each?.command !== undefined,
  );
  if (from === undefined) return options;
  return {
    name: isTyped ? name : from.name,
    command: isTyped ? command : from.command,
    args: args.length > 0 ? args : (from.args ?? []),
  };
}

/** The project's checks are added to the typed ones; the user's count only when there are no others. */
export function checksIn({ project, user }: Configs, typed: readonly CheckSpec[]): readonly CheckSpec[] {
  const ofProject = project?.checks ?? [];
  return ofProject.length > 0 || typed.length > 0 ? ofProject : (user?.checks ?? []);
}

/** Without what was typed. `iterationsMax`: from a template, which was itself typed by name. */
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
