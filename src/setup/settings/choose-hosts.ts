import { Fault } from '../../core/fault.ts';
import { HOST_IDS, hostNamed } from '../../hosts/ids.ts';
import type { HostId } from '../../hosts/ids.ts';
import { HOSTS } from '../../hosts/hosts.ts';
import { isFolder, isOnPath } from '../../system/settings-files.ts';
import { oneLine } from '../../views/printable.ts';
import { nearestWord } from '../../views/nearest-word.ts';
import type { SetupWorld } from '../setup-world.ts';
import { userHome } from './installation.ts';

/** The typed hosts, each once. */
export function parseHosts(words: readonly string[]): readonly HostId[] {
  return [...new Set(words)].map((word) => {
    const host = hostNamed(word);
    if (host !== undefined) return host;
    // Its program may have another name.
    const close = HOST_IDS.find((id) => HOSTS[id].install.signs.programs.includes(word)) ?? nearestWord(word, HOST_IDS);
    const suggestion = close === undefined ? '' : ` Did you mean ${close}?`;
    throw new Fault(
      'USAGE',
      `There is no agent "${oneLine(word, 60)}".${suggestion} Use one of ${HOST_IDS.join(', ')}.`,
    );
  });
}

/** The hosts with a program on the PATH or a folder in the user's home. */
export function detectHosts(world: Pick<SetupWorld, 'env'>, asked: 'install' | 'doctor'): readonly HostId[] {
  const home = userHome(world);
  const found = HOST_IDS.filter((id) => {
    const { programs, folders } = HOSTS[id].install.signs;
    return (
      programs.some((program) => isOnPath(program, world.env)) ||
      folders.some((folder) => isFolder(`${home}/${folder}`))
    );
  });
  if (found.length > 0) return found;
  throw new Fault(
    'AGENT_NOT_FOUND',
    `Found no agent: no program on the PATH and no folder in ${home} belongs to one. Supported agents: ${HOST_IDS.join(', ')}; name one to ${asked === 'install' ? 'set it up' : 'look for it'} anyway, such as "tireless ${asked} claude-code".`,
  );
}
