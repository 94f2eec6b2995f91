import path from 'node:path';
import { isFault } from '../../core/fault.ts';
import type { Loaded } from '../../engine/ports.ts';
import { hostNamed } from '../../hosts/ids.ts';
import { HOSTS } from '../../hosts/hosts.ts';
import { pathPart } from '../../system/ids.ts';
import { isFile } from '../../system/settings-files.ts';
import { thisMachine } from '../../system/worker-identity.ts';
import type { SetupWorld } from '../setup-world.ts';
import { readRecord } from '../settings/install-record.ts';
import { recordsFor } from './examine-host.ts';
import { installedFindings } from './installed.ts';

/** Why stops of a running loop no longer arrive: the file that wakes its hook is missing. `null` = nothing is known to be missing. */
export function lostStopsReason({ spec, state }: Loaded, world: SetupWorld): string | null {
  const { session, status, machine, cwd, loop } = state;
  const host = hostNamed(session?.host);
  if (session === null || host === undefined || spec.dialect !== undefined) return null;
  if (status !== 'running' || spec.driver !== 'session' || machine !== thisMachine()) return null;
  const home = world.services.home();
  const restore = `restore it in its session: ${HOSTS[host].capabilities.commandPrefix}ralph --resume ${loop}`;
  if (!isFile(path.join(home, 'armed', pathPart(host), pathPart(session.id))))
    return `the mark that wakes its hook is missing from ${home}; ${restore}`;
  try {
    const armed = readRecord(home, { host, scope: 'armed', project: cwd });
    const records = [...recordsFor(host, cwd, world), ...(armed === undefined ? [] : [armed])];
    if (records.length === 0) return null;
    const gone = records.flatMap((record) =>
      installedFindings(host, [record], home).flatMap((found) => {
        if (found.status !== 'problem' || !LOST.has(found.about)) return [];
        return [`${found.text}; ${record.scope === 'armed' ? restore : found.fix}`];
      }),
    );
    return gone[0] ?? null;
  } catch (error) {
    if (isFault(error)) return error.message;
    throw error;
  }
}

const LOST: ReadonlySet<string> = new Set(['installed', 'paths', 'hooks-off']);
