import { existsSync, readFileSync } from 'node:fs';
import { HOST_IDS, type HostId } from '../../../src/hosts/ids.ts';

export type Client = { readonly version: string; readonly path: string };

const FILE = new URL('../installed.json', import.meta.url);

/** The client that `install.mjs` found, or the reason for the title of a skipped test. */
function clientOf(host: HostId): Client | { readonly missing: string } {
  if (!existsSync(FILE)) return { missing: 'run "node test/agents/install.mjs" first' };
  const all = JSON.parse(readFileSync(FILE, 'utf8')) as Partial<Record<string, Client | { missing: string }>>;
  return all[host] ?? { missing: 'the installer does not know it' };
}

/** Throws with the reason if the client is missing: for code behind a skip. */
export function installedClient(host: HostId): Client {
  const client = clientOf(host);
  if ('missing' in client) throw new Error(`${host} is not installed: ${client.missing}`);
  return client;
}

/** Every host, with the reason why its tests cannot run, or `null`. Use `describe.skipIf(reason !== null)` with the reason in the title. */
export function hostsToTry(
  wanted: readonly HostId[] = HOST_IDS,
): { host: HostId; absent: string | null; title: string }[] {
  return wanted.map((host) => {
    const client = clientOf(host);
    const absent = 'missing' in client ? client.missing : null;
    return { host, absent, title: absent === null ? host : `${host} (SKIPPED: ${absent})` };
  });
}
