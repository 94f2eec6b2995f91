import { Fault } from '../core/fault.ts';
import type { CheckSpec, Limit, Limits, Timing } from '../core/loop.ts';
import { shellWord } from '../core/shell-word.ts';

/** What a repository requires of every loop in it. */
export type RepositoryConfig = {
  readonly file: string;
  readonly content: string;
  readonly checks: readonly CheckSpec[];
  readonly protect: readonly string[];
  readonly limits: Partial<Limits>;
  /** The program to start, for loops that start one. */
  readonly agent?: ConfiguredAgent;
  readonly timing?: Partial<Timing>;
  readonly finish?: {
    readonly claim?: readonly string[];
    readonly approve?: boolean;
    readonly requireVerified?: boolean;
  };
};

type ConfiguredAgent = {
  readonly name?: string | undefined;
  readonly command?: string | undefined;
  readonly args?: readonly string[];
};

type TrustAnswer = 'allowed' | 'denied' | 'unknown' | 'changed';

/**
 * The configuration of a repository, if its commands may run. A clone must not be able to run commands, so unknown content is refused, with
 * the command that allows it; `'denied'` = the user denied it, so it is ignored. Throws `CONFIG_NOT_ALLOWED`.
 */
export function trustedConfig(
  config: RepositoryConfig,
  project: string,
  askTrust: (file: string, content: string) => TrustAnswer,
): RepositoryConfig | 'denied' {
  if (!hasCommands(config)) return config;
  const answer = askTrust(config.file, config.content);
  switch (answer) {
    case 'allowed':
      return config;
    case 'denied':
      return 'denied';
    case 'unknown':
    case 'changed':
      throw new Fault(
        'CONFIG_NOT_ALLOWED',
        `Cannot run the ${config.agent === undefined ? 'checks' : 'commands'} of ${config.file}: ${answer === 'changed' ? 'it changed since you allowed it' : 'you have not allowed its content'}. Read it, then run: tireless allow ${shellWord(project)} (or continue without it: --no-repository-checks).`,
      );
  }
}

export function hasCommands({ checks, agent }: Pick<RepositoryConfig, 'checks' | 'agent'>): boolean {
  return agent !== undefined || checks.some((check) => check.probe.kind === 'command');
}

/** A repository may lower a limit, never raise one: cloning must not cost money. */
export function lowerLimits(limits: Limits, repository: Partial<Limits>): Limits {
  return {
    iterationsMax: lower(limits.iterationsMax, repository.iterationsMax),
    durationMaxMs: lower(limits.durationMaxMs, repository.durationMaxMs),
    costMaxUsd: lower(limits.costMaxUsd, repository.costMaxUsd),
    tokensMax: lower(limits.tokensMax, repository.tokensMax),
    faultsInRowMax: lower(limits.faultsInRowMax, repository.faultsInRowMax),
    noProgressMax: lower(limits.noProgressMax, repository.noProgressMax),
  };
}

function lower(limit: Limit, other: Limit | undefined): Limit {
  if (other === undefined || other === 'unlimited') return limit;
  return limit === 'unlimited' ? other : Math.min(limit, other);
}

/** A repository must not let an agent hang longer than its user would. */
export function lowerTiming(timing: Timing, repository: Partial<Timing>): Timing {
  return {
    ...timing,
    iterationTimeoutMs: Math.min(timing.iterationTimeoutMs, repository.iterationTimeoutMs ?? Number.POSITIVE_INFINITY),
    idleTimeoutMs: Math.min(timing.idleTimeoutMs, repository.idleTimeoutMs ?? Number.POSITIVE_INFINITY),
    pauseBetweenMs: repository.pauseBetweenMs ?? timing.pauseBetweenMs,
  };
}
