import { Fault } from '../core/fault.ts';
import type { Io } from './io.ts';
import { say } from './io.ts';
import type { RepositoryConfig } from './repository-config.ts';
import { hasCommands, readRepositoryConfig } from './repository-config.ts';
import type { Services } from './services.ts';

/**
 * The project's own configuration, if this very content may be used. A clone must not be able to run commands, so unknown content
 * stops the start with the command that allows it; denied content is left out, and said.
 */
export async function trustedConfig(
  project: string,
  services: Pick<Services, 'trust'>,
  io: Pick<Io, 'stderr'>,
): Promise<RepositoryConfig | null> {
  const config = await readRepositoryConfig(project);
  if (config === null || !hasCommands(config)) return config;
  const trust = await services.trust();
  switch (trust.ask(config.file, config.content)) {
    case 'allowed':
      return config;
    case 'denied':
      say(
        io.stderr,
        `tireless: ${config.file} is denied and left out. "tireless allow ${project}" takes the denial back.`,
      );
      return null;
    case 'unknown':
      throw new Fault(
        'CONFIG_NOT_ALLOWED',
        `Cannot run the checks of ${config.file}: you have not allowed its content. Read it, then run: tireless allow ${project} (or go on without it: --no-repository-checks).`,
      );
  }
}
