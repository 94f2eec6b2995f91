import type { Configs } from '../engine/spec/config-defaults.ts';
import type { Io } from './io.ts';
import { readTrustedConfig } from './repository-trust.ts';
import type { Services } from './services.ts';
import { readUserConfig } from './user-config.ts';

/** Throws `CONFIG_INVALID` and `CONFIG_NOT_ALLOWED`. */
export async function readConfigs(
  project: string,
  options: { readonly withProject: boolean },
  world: Pick<Io, 'stderr'> & { readonly services: Pick<Services, 'trust'> },
): Promise<Configs> {
  const user = await readUserConfig();
  return { project: options.withProject ? await readTrustedConfig(project, world.services, world) : null, user };
}
