import path from 'node:path';
import { isFault } from '../../core/fault.ts';
import { isOwnerSilent } from '../../core/foreign-file.ts';
import { DIALECT_NAMES } from '../../dialects/names.ts';
import { stateFilesOf } from '../../dialects/state-files.ts';
import { whyUnreadable } from '../../engine/live-file.ts';
import { runAsync } from '../../engine/pipeline.ts';
import type { Loaded } from '../../engine/ports.ts';
import type { HostId } from '../../hosts/ids.ts';
import { HOST_IDS } from '../../hosts/ids.ts';
import { HOSTS } from '../../hosts/hosts.ts';
import { namesIn } from '../../system/folder.ts';
import { watcherOf } from '../../system/driver-process.ts';
import { oneLine, PATH_CHARS_MAX } from '../../views/printable.ts';
import { activeLoopIn } from '../conflicts.ts';
import type { SetupWorld } from '../setup-world.ts';
import { allRecords } from '../settings/install-record.ts';
import { findFreeFiles, findStateFiles } from '../waiting-files.ts';
import type { Finding } from './finding.ts';
import { note, problem } from './finding.ts';

/**
 * Active loops in state files of this project that tireless does not handle: whoever does, now or later, sends the same agents back. The
 * file of a plugin concerns the host that the plugin is made for; the others can belong to any host.
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
      if (loop !== undefined) found.push(conflictIn(oneLine(file, PATH_CHARS_MAX), host, loop.dialect));
    }
  } catch (error) {
    // If the installs cannot be read, that is reported for each host.
    if (!isFault(error)) throw error;
  }
  return found;
}

/** Open loops in state files of this project whose session has not stopped for a long time. */
export async function silentLoopFindings(project: string, { services }: SetupWorld): Promise<readonly Finding[]> {
  const open = await openLoops(services);
  const { isGone } = await services.sessionProcesses();
  return open.flatMap(({ spec, state }) => {
    const { dialect } = spec;
    const { session } = state;
    if (dialect === undefined || session === null || state.cwd !== project) return [];
    if (watcherOf(state)?.alive === false) return [watcherFinding(state.loop, dialect.file, session.id)];
    const hasEnded = state.sessionLeft === true || isGone(state);
    if (!hasEnded && !isOwnerSilent(Date.parse(state.updatedAt), undefined, Date.now())) return [];
    const why = hasEnded ? 'has ended' : `has not stopped since ${state.updatedAt}`;
    const text = `${oneLine(dialect.file, PATH_CHARS_MAX)} belongs to the session ${oneLine(session.id, PATH_CHARS_MAX)}, which ${why}; continue it elsewhere: tireless resume ${state.loop} --session ID; end it: tireless cancel ${state.loop}`;
    return [note(null, { about: 'dialects', text })];
  });
}

/** State files of enabled dialects whose loop begins at a stop that may never come. */
export async function waitingFileFindings(project: string, world: SetupWorld): Promise<readonly Finding[]> {
  try {
    const enabled = enabledDialects(project, world);
    const { waiting } = await findFreeFiles(project, world.services);
    return waiting
      .filter(({ dialect }) => enabled.has(dialect))
      .map(({ place, reading }) => {
        const file = oneLine(place.file, PATH_CHARS_MAX);
        const session = reading.session === null ? null : oneLine(reading.session, PATH_CHARS_MAX);
        const whose = session === null ? 'in this project' : `of the session ${session}`;
        const text = `the loop in ${file} begins at the next stop ${whose}; begin it in another session: tireless resume ${file} --session ID; end it: tireless cancel ${file}`;
        return note(null, { about: 'dialects', text });
      });
  } catch (error) {
    // If the home cannot be used, another finding reports it.
    if (!isFault(error)) throw error;
    return [];
  }
}

function watcherFinding(loop: string, file: string, session: string): Finding {
  const text = `the process that should have resumed the agent of ${oneLine(file, PATH_CHARS_MAX)} is dead; write to the agent in its session ${oneLine(session, PATH_CHARS_MAX)}, or continue the loop outside it: tireless resume ${loop} --agent NAME`;
  return note(null, { about: 'dialects', text });
}

/** Unreadable state files of this project: their loops do nothing. A problem only if tireless handles them. */
export async function brokenFileFindings(project: string, world: SetupWorld): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  try {
    const enabled = enabledDialects(project, world);
    for (const { dialect, file, why } of await brokenFiles(project, world)) {
      const text = `${oneLine(file, PATH_CHARS_MAX)} cannot be read (${oneLine(why, PATH_CHARS_MAX)})`;
      const fix = 'correct it or delete it';
      findings.push(
        enabled.has(dialect)
          ? problem(null, { about: 'dialects', text, fix })
          : note(null, { about: 'dialects', text: `${text}; ${fix}` }),
      );
    }
  } catch (error) {
    // If the home cannot be used, another finding reports it.
    if (!isFault(error)) throw error;
  }
  return findings;
}

async function brokenFiles(
  project: string,
  { services }: SetupWorld,
): Promise<readonly { readonly dialect: string; readonly file: string; readonly why: string }[]> {
  const { effects } = await services.session();
  const broken = [];
  for (const { dialect, place } of await findStateFiles(project, services)) {
    const why = await runAsync(whyUnreadable(place.live), effects);
    if (why !== null) broken.push({ dialect, file: place.file, why });
  }
  return broken;
}

function enabledDialects(project: string, { services }: SetupWorld): ReadonlySet<string> {
  const records = allRecords(services.home()).filter((record) => record.project === project);
  return new Set(records.flatMap(({ dialects }) => dialects));
}

/** Empty if they cannot be read: the finding about the home reports that. */
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
    text: `${file} contains an active loop of ${dialect}: whatever drives it counts the turns of our loops too`,
    fix: `delete ${file}, or let tireless keep it going: tireless install ${host ?? 'HOST'} --dialect ${dialect} --yes`,
  });
}

/** Without those of enabled dialects and of open loops of ours. */
async function filesOfOthers(project: string, world: SetupWorld): Promise<readonly string[]> {
  const { services } = world;
  const enabled = enabledDialects(project, world);
  const open = (await services.store()).list({ ended: false }).filter(({ state }) => state.cwd === project);
  const ours = new Set(open.map(({ spec }) => spec.dialect?.file));
  const list = (folder: string): readonly string[] => namesIn(path.join(project, folder));
  const files: string[] = [];
  for (const name of DIALECT_NAMES.filter((each) => !enabled.has(each))) {
    files.push(...stateFilesOf(await services.dialect(name), '', list));
  }
  return files.filter((file) => !ours.has(file));
}
