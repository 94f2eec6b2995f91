import type { CheckSpec, Limits, Spec, Timing } from '../core/loop.ts';
import { DEFAULT_LIMITS } from '../core/loop.ts';
import { defaultTiming } from '../engine/new-spec.ts';
import type { RepositoryConfig } from '../engine/repository-policy.ts';
import { lowerLimits, lowerTiming } from '../engine/repository-policy.ts';
import { checksFromFlags } from './checks-from-flags.ts';
import type { Io } from './io.ts';
import type { RunFlags } from './loop-flags.ts';
import { readTrustedConfig } from './repository-trust.ts';
import type { Services } from './services.ts';
import { readUserConfig } from './user-config.ts';

/** The files that hold defaults. Typed values win over the project's, the project's over the user's, and the user's over the built-in ones. */
export type Configs = { readonly project: RepositoryConfig | null; readonly user: RepositoryConfig | null };

/** Throws `CONFIG_INVALID` and `CONFIG_NOT_ALLOWED`. */
export async function readConfigs(
  project: string,
  options: { readonly withProject: boolean },
  world: Pick<Io, 'stderr'> & { readonly services: Pick<Services, 'trust'> },
): Promise<Configs> {
  const user = await readUserConfig();
  return { project: options.withProject ? await readTrustedConfig(project, world.services, world) : null, user };
}

/** What was typed, completed from the files. Limits and times are left to `limitsIn` and `timingIn`. */
export function withDefaults(flags: RunFlags, configs: Configs): RunFlags {
  const { project, user } = configs;
  const finish = { ...user?.finish, ...project?.finish };
  return {
    ...flags,
    ...agentFlags(flags, configs),
    claim: flags.claim.length > 0 ? flags.claim : (finish.claim ?? []),
    'approve-finish': flags['approve-finish'] || (finish.approve ?? false),
    'require-verified': flags['require-verified'] || (finish.requireVerified ?? false),
  };
}

/** A typed agent gets the arguments from a file only if that file names the same agent. */
function agentFlags(flags: RunFlags, configs: Configs): Pick<RunFlags, 'agent' | 'agent-command' | 'agent-args'> {
  const { agent, 'agent-command': command, 'agent-args': args } = flags;
  const isTyped = agent !== undefined || command !== undefined;
  const from = [configs.project?.agent, configs.user?.agent].find((each) =>
    isTyped ? agent !== undefined && each?.name === agent : each?.name !== undefined || each?.command !== undefined,
  );
  if (from === undefined) return { agent, 'agent-command': command, 'agent-args': args };
  return {
    agent: isTyped ? agent : from.name,
    'agent-command': isTyped ? command : from.command,
    'agent-args': args.length > 0 ? args : (from.args ?? []),
  };
}

/** The project's checks are added to the typed ones; the user's count only when there are no others. */
export function checksIn(flags: RunFlags, { project, user }: Configs): readonly CheckSpec[] {
  const ofProject = project?.checks ?? [];
  return ofProject.length > 0 || checksFromFlags(flags).length > 0 ? ofProject : (user?.checks ?? []);
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
