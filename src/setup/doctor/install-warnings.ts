import type { HostId } from '../../hosts/host.ts';
import { HOSTS } from '../../hosts/hosts.ts';
import type { SetupWorld } from '../setup-world.ts';
import { activeWays, twiceText } from './active-twice.ts';
import { hasPlugin, lookAtInstalled } from './examination-look.ts';
import { recordsFor } from './examine-host.ts';

/** What keeps hooks from running although they are written, and what else answers beside them; a sentence each. Call it after the install. */
export function installWarnings(host: HostId, project: string, world: SetupWorld): readonly string[] {
  const records = recordsFor(host, project, world);
  const ways = activeWays(host, records, hasPlugin(host, project, world));
  const found = HOSTS[host].examination?.findings(lookAtInstalled(host, project, records, world)) ?? [];
  return [
    ...found.flatMap((each) =>
      each.about === 'hooks-off' && each.status === 'problem' ? [`NO HOOK RUNS YET: ${each.text}. ${each.fix}`] : [],
    ),
    ...(ways.length < 2 ? [] : [`${twiceText(ways)}. Keep one: ${ways.map(({ removal }) => removal).join(', or: ')}`]),
  ];
}
