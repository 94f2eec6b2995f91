import { fieldsOf, nameIn } from '../../hosts/fields.ts';
import type { HostId } from '../../hosts/host.ts';
import { readTextIfExists } from '../../system/files.ts';
import { isFolder } from '../../system/settings-files.ts';
import type { World } from '../services.ts';
import { userHome } from '../settings/place.ts';
import { claudeSettings } from './claude-code.ts';

/** Did the user install the plugin of tireless in this host, by the host's own means? */
export function hasPlugin(host: HostId, project: string, world: World): boolean {
  switch (host) {
    case 'claude-code':
      return claudeSettings(project, world).some(({ fields }) =>
        Object.entries(fieldsOf(fields['enabledPlugins']) ?? {}).some(
          ([name, isOn]) => isOn === true && name.startsWith('tireless@'),
        ),
      );
    case 'codex': {
      const home = nameIn(world.env, 'CODEX_HOME') ?? `${userHome(world)}/.codex`;
      const config = readTextIfExists(`${home}/config.toml`) ?? '';
      return /^\[plugins\."tireless@[^"]*"\]\s+enabled *= *true/mu.test(config);
    }
    case 'gemini':
      return isFolder(`${nameIn(world.env, 'GEMINI_CLI_HOME') ?? userHome(world)}/.gemini/extensions/tireless`);
    case 'qwen':
    case 'copilot':
    case 'opencode':
    case 'pi':
    case 'droid':
      return false;
  }
}
