import { shellWord } from '../core/shell-word.ts';
import type { RepositoryConfig } from '../engine/repository-policy.ts';
import { hasCommands, trustedConfig } from '../engine/repository-policy.ts';
import type { Io } from './io.ts';
import { say } from './io.ts';
import { readRepositoryConfig } from './repository-config.ts';
import type { Services } from './services.ts';

/** The project's own configuration, as far as its content is allowed; denied content is left out and reported. */
export async function readTrustedConfig(
  project: string,
  services: Pick<Services, 'trust'>,
  io: Pick<Io, 'stderr'>,
): Promise<RepositoryConfig | null> {
  const config = await readRepositoryConfig(project);
  if (config === null || !hasCommands(config)) return config;
  const { ask } = await services.trust();
  const trusted = trustedConfig(config, project, ask);
  if (trusted !== 'denied') return trusted;
  say(io.stderr, `tireless: ${config.file} is denied and ignored. To undo that: tireless allow ${shellWord(project)}`);
  return null;
}
