import type { HostId } from '../../hosts/ids.ts';
import { HOSTS } from '../../hosts/hosts.ts';
import type { InstallRecord } from '../settings/install-record.ts';

/** One of the ways in which tireless is active in a host, and how to remove it. */
type ActiveWay = { readonly what: 'user' | 'project' | 'plugin'; readonly where: string; readonly removal: string };

/** Each of them handles native loops. Loops in state files do not count here: they are set up once, for their project. */
export function activeWays(host: HostId, records: readonly InstallRecord[], isPlugin: boolean): readonly ActiveWay[] {
  const scopes = (['user', 'project'] as const).filter((each) =>
    records.some(({ scope, native }) => native && scope === each),
  );
  return [
    ...scopes.map((what) => ({
      what,
      where: what === 'user' ? 'for your user' : 'for this project',
      removal: `tireless uninstall ${host} --${what}`,
    })),
    ...(isPlugin
      ? [
          {
            what: 'plugin' as const,
            where: 'as a plugin',
            removal: HOSTS[host].examination?.pluginRemoval ?? 'remove the plugin',
          },
        ]
      : []),
  ];
}

/** Harmless, but it costs one more process at each event. */
export function twiceText(ways: readonly ActiveWay[]): string {
  const where = ways.map((each) => each.where).join(' and ');
  return `tireless is installed ${where}: each event is reported more than once, and only one report gets a reply`;
}
