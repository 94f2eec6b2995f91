import path from 'node:path';
import { Fault } from '../core/fault.ts';
import { shellWord } from '../core/shell-word.ts';
import type { RepositoryConfig } from '../engine/repository-policy.ts';
import { currentPlatform, userConfigFile } from '../system/paths.ts';
import { sharedPlace } from '../system/private-file.ts';
import { realDirectory } from '../system/project.ts';
import { readConfig } from './repository-config.ts';

/**
 * The defaults of the user. The file needs no permission, so nobody else may be able to write to it. It is read only when a loop starts, so
 * it cannot slow down or fail a stop. Throws `CONFIG_INVALID`.
 */
export async function readUserConfig(): Promise<RepositoryConfig | null> {
  const platform = currentPlatform();
  if (platform.home === '' && platform.env['XDG_CONFIG_HOME'] === undefined) return null;
  const file = userConfigFile(platform);
  // A home that this user cannot enter has no defaults either; code that keeps loops there reports it.
  if (realDirectory(path.dirname(file)) === undefined) return null;
  const config = await readConfig(file, 'Correct it, or move it away.');
  const shared = config === null ? null : sharedPlace(file);
  if (shared === null) return config;
  throw new Fault(
    'CONFIG_INVALID',
    `Cannot use ${file}: another user can write to ${shared}, and could choose the commands that run. Type: chmod go-w ${shellWord(shared)}`,
  );
}
