import { Fault } from '../core/fault.ts';
import type { CheckSpec, Limit, Limits } from '../core/loop.ts';
import { shellWord } from '../core/shell-word.ts';

/** What a repository asks of every loop in it. */
export type RepositoryConfig = {
  readonly file: string;
  readonly content: string;
  readonly checks: readonly CheckSpec[];
  readonly protect: readonly string[];
  readonly limits: Partial<Limits>;
};

type TrustAnswer = 'allowed' | 'denied' | 'unknown';

/**
 * The configuration of a repository, if its commands may run. A clone must not be able to run commands, so unknown content is refused with
 * the command that allows it; `'denied'` = the user denied it, and it is left out. Throws `CONFIG_NOT_ALLOWED`.
 */
export function trustedConfig(
  config: RepositoryConfig,
  project: string,
  askTrust: (file: string, content: string) => TrustAnswer,
): RepositoryConfig | 'denied' {
  if (!hasCommands(config)) return config;
  switch (askTrust(config.file, config.content)) {
    case 'allowed':
      return config;
    case 'denied':
      return 'denied';
    case 'unknown':
      throw new Fault(
        'CONFIG_NOT_ALLOWED',
        `Cannot run the checks of ${config.file}: you have not allowed its content. Read it, then run: tireless allow ${shellWord(project)} (or go on without it: --no-repository-checks).`,
      );
  }
}

export function hasCommands({ checks }: Pick<RepositoryConfig, 'checks'>): boolean {
  return checks.some((check) => check.probe.kind === 'command');
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
