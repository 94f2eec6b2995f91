import { isFault } from '../../core/fault.ts';
import { nameIn } from '../../hosts/fields.ts';
import type { HostId } from '../../hosts/ids.ts';
import { HOSTS } from '../../hosts/hosts.ts';
import { OTHER_NAME } from '../../hosts/typed-command.ts';
import { thisProgram } from '../../system/settings-files.ts';
import { oneLine } from '../../views/printable.ts';
import { nativeGoal } from '../conflicts.ts';
import { openLoopsInProject } from '../../engine/session-loops.ts';
import type { OwnCommand } from '../settings/own-commands.ts';
import { isOfProjectOnly, ownCommands, whereIn } from '../settings/own-commands.ts';
import type { SetupWorld } from '../setup-world.ts';
import type { InstallRecord } from '../settings/install-record.ts';
import { allRecords } from '../settings/install-record.ts';
import { planHost } from '../settings/host-plan.ts';
import { installationFor, setupPlaceFor } from '../settings/installation.ts';
import { activeWays, twiceText } from './active-twice.ts';
import { hasPlugin, lookAtInstalled } from './examination-look.ts';
import type { Finding } from './finding.ts';
import { note, ok, problem } from './finding.ts';
import { installCommand, installedFindings } from './installed.ts';

import { programFindings } from './program.ts';

const GOAL_CHARS_MAX = 60;

/**
 * Findings that need no start of the host, reported as soon as they are known. An unreadable settings file is a finding and does not end
 * the examination.
 */
export async function examineHost(
  host: HostId,
  project: string,
  world: SetupWorld,
  tell: (found: readonly Finding[]) => void,
): Promise<readonly Finding[]> {
  const program = await programFindings(host, world);
  tell(program);
  const installed = await examineSetup(host, project, world);
  tell(installed);
  return [...program, ...installed];
}

async function examineSetup(host: HostId, project: string, world: SetupWorld): Promise<readonly Finding[]> {
  try {
    const records = recordsFor(host, project, world);
    const isPlugin = hasPlugin(host, project, world);
    const installed =
      isPlugin && records.length === 0
        ? [ok(host, { about: 'installed', text: 'as a plugin' })]
        : installedFindings(
            host,
            records,
            world.services.home(),
            records.length === 0 ? installRefusal(host, project, world) : null,
          );
    const own = records.length === 0 && !isPlugin ? [] : ownFindings(host, project, records, world);
    return [
      ...installed,
      ...twice(host, activeWays(host, records, isPlugin)),
      ...own,
      ...dialectFindings(host, records),
      ...commandFindings(host, project, records, world),
      ...(await goalFindings(host, project, world)),
    ];
  } catch (error) {
    if (!isFault(error)) throw error;
    const text = error.message.replace(/ Correct the file.*$/u, '');
    return [problem(host, { about: 'installed', text, fix: 'correct the file, and run this again' })];
  }
}

/** The advice to install has to work, so the install is planned here without writing anything. */
function installRefusal(host: HostId, project: string, world: SetupWorld): string | null {
  const request = { host, project, scope: 'user', dialect: undefined, onDemand: false, trust: false } as const;
  const installation = installationFor(request, world.services.home());
  try {
    planHost(installation, setupPlaceFor(installation, world, thisProgram()));
    return null;
  } catch (error) {
    if (!isFault(error)) throw error;
    return error.message.replace(/\. [^.]* run the same command again; nothing was written\.$/u, '');
  }
}

function twice(host: HostId, ways: ReturnType<typeof activeWays>): readonly Finding[] {
  if (ways.length < 2) return [];
  const fix = ways.map(({ removal }) => removal).join(', or: ');
  return [problem(host, { about: 'installed', text: twiceText(ways), fix })];
}

/** The records of the user and of this project, without hooks that come and go with a loop. */
export function recordsFor(host: HostId, project: string, world: SetupWorld): readonly InstallRecord[] {
  return allRecords(world.services.home()).filter(
    (record) =>
      record.host === host && (record.scope === 'user' || (record.scope === 'project' && record.project === project)),
  );
}

function ownFindings(
  host: HostId,
  project: string,
  records: readonly InstallRecord[],
  world: SetupWorld,
): readonly Finding[] {
  const found = HOSTS[host].examination?.findings(lookAtInstalled(host, project, records, world)) ?? [];
  return found.map((finding) => ({ host, ...finding }));
}

/** A user's command with the same name as one of ours stays the user's. */
function commandFindings(
  host: HostId,
  project: string,
  records: readonly InstallRecord[],
  world: SetupWorld,
): readonly Finding[] {
  const { commandPrefix, title } = HOSTS[host].capabilities;
  return ownCommands(host, whereIn(project, world)).map((own) => {
    const other = `${OTHER_NAME}${own.name}`;
    const isInstalled =
      HOSTS[host].install.namesItself === true ||
      records.some(({ files }) => files.some((each) => each.file.includes(other)));
    const ours = `${commandPrefix}${other}`;
    const hidden = own.hiddenBy === null ? '' : `; ${title} does not run it beside ours, so the agent gets its text`;
    const text = `${commandPrefix}${own.name} is your own command (${own.file}), and tireless leaves it to you${hidden}; ours is called ${ours}`;
    if (isInstalled && !isInTheWay(own)) return note(host, { about: 'commands', text });
    const does = isInstalled ? 'removes ours of that name' : `adds ${ours}`;
    return problem(host, { about: 'commands', text, fix: `${installCommand(host, records)} (${does})` });
  });
}

/** Ours hides the user's command without need: the same install today would not write it. */
function isInTheWay(own: OwnCommand): boolean {
  return own.hiddenBy !== null && !isOfProjectOnly(own, own.hiddenBy.below === 'project' ? 'project' : 'user');
}

function dialectFindings(host: HostId, records: readonly InstallRecord[]): readonly Finding[] {
  const names = records.flatMap(({ dialects }) => dialects);
  return names.length === 0
    ? []
    : [note(host, { about: 'dialects', text: `enabled in this project: ${names.join(', ')}` })];
}

/** A goal of the host itself in a session with an open loop of ours, or in the session that called this. */
async function goalFindings(host: HostId, project: string, world: SetupWorld): Promise<readonly Finding[]> {
  const { ownGoal: hasGoals, sessionVariable } = HOSTS[host].capabilities;
  if (!hasGoals) return [];
  const store = await world.services.store();
  const open = openLoopsInProject(host, project, store).filter(({ spec }) => spec.observe !== true);
  const found: Finding[] = [];
  for (const { spec, state } of open) {
    if (state.session === null) continue;
    for (const { what, end } of await nativeGoal({ session: state.session, cwd: project }, world)) {
      const text = `${what} and loop ${state.loop} (${oneLine(spec.goal, GOAL_CHARS_MAX)}) both keep one session going`;
      found.push(problem(host, { about: 'conflict', text, fix: `${end}, or "tireless cancel ${state.loop}"` }));
    }
  }
  const here = sessionVariable === null ? undefined : nameIn(world.env, sessionVariable);
  if (here !== undefined && !open.some(({ state }) => state.session?.id === here))
    for (const { what, end } of await nativeGoal({ session: { host, id: here }, cwd: project }, world))
      found.push(
        problem(host, {
          about: 'conflict',
          text: `${what} keeps this session going: beside it a loop can only watch (--observe)`,
          fix: end,
        }),
      );
  return found.length === 0 && open.length > 0
    ? [ok(host, { about: 'conflict', text: 'the host has no goal of its own in sessions with open loops' })]
    : found;
}
