import type { HostId } from '../../hosts/ids.ts';
import { HOSTS } from '../../hosts/hosts.ts';
import type { SetupWorld } from '../setup-world.ts';
import { activeWays, twiceText } from './active-twice.ts';
import { hasPlugin, lookAtInstalled } from './examination-look.ts';
import { recordsFor } from './examine-host.ts';

/** What keeps written hooks from running, and what else answers besides them; one sentence each. Call it after the install. */
export function installWarnings(host: HostId, project: string, world: SetupWorld): readonly string[] {
  const records = recordsFor(host, project, world);
  const ways = activeWays(host, records, hasPlugin(host, project, world));
  return [
    ...switchedOff(host, project, world).map(({ text, fix }) => `NO HOOK RUNS YET: ${text}. ${fix}`),
    ...(ways.length < 2 ? [] : [`${twiceText(ways)}. Keep one: ${ways.map(({ removal }) => removal).join(', or: ')}`]),
  ];
}

/** What keeps every hook of this host from running, and what to do about it. */
export function switchedOff(host: HostId, project: string, world: SetupWorld): readonly SwitchedOff[] {
  const look = lookAtInstalled(host, project, recordsFor(host, project, world), world);
  const found = HOSTS[host].examination?.findings(look) ?? [];
  return found.flatMap((each) => (each.about === 'hooks-off' && each.status === 'problem' ? [each] : []));
}

type SwitchedOff = { readonly text: string; readonly fix: string };
