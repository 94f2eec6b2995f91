import { fieldsOf } from '../../hosts/fields.ts';
import type { HostId } from '../../hosts/host.ts';
import { isFolder } from '../../system/settings-files.ts';
import type { SetupWorld } from '../setup-world.ts';
import { userFolder } from '../settings/installation.ts';
import { readClaudeSettings } from './claude-code.ts';
import { readCodexConfig } from './codex.ts';

/** Did the user install the plugin of tireless in this host, by the host's own means? */
export function hasPlugin(host: HostId, project: string, world: SetupWorld): boolean {
  switch (host) {
    case 'claude-code':
      return readClaudeSettings(project, world).some(({ fields }) =>
        hasOurs(fields['enabledPlugins'], (isOn) => isOn === true),
      );
    case 'codex':
      return hasOurs(readCodexConfig(world)['plugins'], (plugin) => fieldsOf(plugin)?.['enabled'] === true);
    case 'gemini':
      return isFolder(`${userFolder(host, world)}/extensions/tireless`);
    case 'qwen':
    case 'copilot':
    case 'opencode':
    case 'pi':
    case 'droid':
      return false;
  }
}

function hasOurs(plugins: unknown, isOn: (plugin: unknown) => boolean): boolean {
  return Object.entries(fieldsOf(plugins) ?? {}).some(([name, plugin]) => name.startsWith('tireless@') && isOn(plugin));
}
