import path from 'node:path';
import { isFault } from '../../core/fault.ts';
import { isOwnerSilent } from '../../core/foreign-file.ts';
import { DIALECT_NAMES } from '../../dialects/names.ts';
import { stateFilesOf } from '../../dialects/state-files.ts';
import type { Loaded } from '../../engine/ports.ts';
import type { HostId } from '../../hosts/host.ts';
import { HOST_IDS } from '../../hosts/host.ts';
import { HOSTS } from '../../hosts/hosts.ts';
import { namesIn } from '../../system/folder.ts';
import { oneLine } from '../../views/printable.ts';
import { activeLoopIn } from '../conflicts.ts';
import type { SetupWorld } from '../setup-world.ts';
import { allRecords } from '../settings/install-record.ts';
import type { Finding } from './finding.ts';
import { note, problem } from './finding.ts';

const FILE_CHARS_MAX = 200;

/**
 * Active loops in state files of this project that nobody asked tireless to answer for: whoever does, or will, sends the same agents
 * back. The file of a plugin concerns the host that the plugin is made for; the others can be anybody's.
 */
export async function otherLoopFindings(
  hosts: readonly HostId[],
  project: string,
  world: SetupWorld,
): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  try {
    for (const file of await filesOfOthers(project, world)) {
      const host = HOST_IDS.find((id) => HOSTS[id].capabilities.loopPluginFile === file) ?? null;
      const loop = host === null || hosts.includes(host) ? await activeLoopIn(project, file, world) : undefined;
      if (loop !== undefined) found.push(conflictIn(oneLine(file, FILE_CHARS_MAX), host, loop.dialect));
    }
  } catch (error) {
    // What was installed cannot be read: told with each host.
    if (!isFault(error)) throw error;
  }
  return found;
}

/** Open loops in state files of this project whose session did not stop for a long time. */
export async function silentLoopFindings(project: string, { services }: SetupWorld): Promise<readonly Finding[]> {
  const open = await openLoops(services);
  return open.flatMap(({ spec, state }) => {
    const { dialect } = spec;
    const { session } = state;
    if (dialect === undefined || session === null || state.cwd !== project) return [];
    if (!isOwnerSilent(Date.parse(state.updatedAt), undefined, Date.now())) return [];
    const text = `${oneLine(dialect.file, FILE_CHARS_MAX)} belongs to the session ${oneLine(session.id, FILE_CHARS_MAX)}, which has not stopped since ${state.updatedAt}; continue it elsewhere: tireless resume ${state.loop} --session ID; end it: tireless cancel ${state.loop}`;
    return [note(null, { about: 'dialects', text })];
  });
}

/** None where they cannot be read: the finding about the home reports that. */
async function openLoops(services: SetupWorld['services']): Promise<readonly Loaded[]> {
  try {
    return (await services.store()).list({ ended: false });
  } catch (error) {
    if (!isFault(error)) throw error;
    return [];
  }
}

function conflictIn(file: string, host: HostId | null, dialect: string): Finding {
  return problem(host, {
    about: 'conflict',
    text: `${file} holds an active loop of ${dialect}: whoever keeps it going counts the turns of our loops too`,
    fix: `delete ${file}, or let tireless keep it going: tireless install ${host ?? 'HOST'} --dialect ${dialect} --yes`,
  });
}

/** Not those of enabled dialects, and not those of open loops of ours. */
async function filesOfOthers(project: string, { services }: SetupWorld): Promise<readonly string[]> {
  const records = allRecords(services.home()).filter((record) => record.project === project);
  const enabled = new Set(records.flatMap(({ dialects }) => dialects));
  const open = (await services.store()).list({ ended: false }).filter(({ state }) => state.cwd === project);
  const ours = new Set(open.map(({ spec }) => spec.dialect?.file));
  const list = (folder: string): readonly string[] => namesIn(path.join(project, folder));
  const files: string[] = [];
  for (const name of DIALECT_NAMES.filter((each) => !enabled.has(each))) {
    files.push(...stateFilesOf(await services.dialect(name), '', list));
  }
  return files.filter((file) => !ours.has(file));
}
