import { isFault } from '../../core/fault.ts';
import type { HostId } from '../../hosts/ids.ts';
import { HOSTS } from '../../hosts/hosts.ts';
import type { SetupWorld } from '../setup-world.ts';
import { hasPlugin } from './examination-look.ts';
import { recordsFor } from './examine-host.ts';
import type { Finding } from './finding.ts';
import { note, problem } from './finding.ts';
import { installCommand } from './installed.ts';
import { programOf } from './program.ts';
import { runTrial } from './trial-run.ts';

/** Starts the host once to see whether its hook fires. A host whose setup has a problem is not started: `seen` already has the reason. */
export async function proveHooks(
  host: HostId,
  seen: readonly Finding[],
  { project, world, signal }: { readonly project: string; readonly world: SetupWorld; readonly signal: AbortSignal },
): Promise<readonly Finding[]> {
  const program = programOf(host, world);
  const isSetUp = !seen.some(
    ({ about, status }) => status === 'problem' && (about === 'program' || about === 'installed'),
  );
  if (program === undefined || !isSetUp) return [];
  const native = recordsFor(host, project, world).filter((record) => record.native);
  const isPlugin = native.length === 0 && hasPlugin(host, project, world);
  if (native.length === 0 && !isPlugin)
    return [note(host, { about: 'fires', text: 'not started: only state files of other tools are enabled here' })];
  const cwd = isPlugin || native.some(({ scope }) => scope === 'user') ? null : project;
  const { folderTrust } = HOSTS[host].install;
  const fix = seen.some(({ status }) => status === 'problem')
    ? 'fix the problems above, and run this again'
    : isPlugin
      ? 'allow the hooks of the plugin in the host (Codex: /hooks), or install it again'
      : cwd !== null && folderTrust !== undefined
        ? `${folderTrust}; else: ${installCommand(host, native)}`
        : installCommand(host, native);
  try {
    return [await runTrial({ host, program, cwd, fix, signal }, world)];
  } catch (error) {
    // An obstacle for this loop would affect others too.
    if (!isFault(error)) throw error;
    return [
      problem(host, {
        about: 'fires',
        text: `no loop could be started: ${error.message}`,
        fix: 'follow the message, and run this again',
      }),
    ];
  }
}
