import path from 'node:path';
import type { SessionRef } from '../core/loop.ts';
import { dialectOfPath, PRD } from '../dialects/names.ts';
import type { Conflict } from '../engine/arm-loop.ts';
import type { Host } from '../hosts/host.ts';
import { HOSTS } from '../hosts/hosts.ts';
import { readTextIfExists } from '../system/files.ts';
import { oneLine, PATH_CHARS_MAX } from '../views/printable.ts';
import { findTranscript } from './settings/find-transcript.ts';
import type { SetupWorld } from './setup-world.ts';
import { findFilesWaitingFor } from './waiting-files.ts';

type SessionPlace = {
  readonly session: SessionRef;
  readonly cwd: string;
  /** The transcript of the session, if the host named it; otherwise it is searched for where the host keeps transcripts. */
  readonly transcript?: string | null;
};

/** What else sends the agent of this session back. */
export async function findConflicts(place: SessionPlace, world: SetupWorld): Promise<readonly Conflict[]> {
  return [...(await findOthers(place, world)), ...(await waitingLoop(place, world))];
}

/** Without loops in state files that tireless handles itself. */
export async function findOthers(place: SessionPlace, world: SetupWorld): Promise<readonly Conflict[]> {
  return [...(await pluginLoop(place, world)), ...(await nativeGoal(place, world))];
}

/** A goal of the host itself, in this session. */
export async function nativeGoal(place: SessionPlace, world: SetupWorld): Promise<readonly Conflict[]> {
  const host = hostOf(place.session);
  if (host?.capabilities.ownGoal !== true) return [];
  const transcript = place.transcript ?? findTranscript(place.session, world);
  if (transcript === undefined) return [];
  const { hasNativeGoal } = await world.services.session();
  return hasNativeGoal(host, transcript)
    ? [{ what: `a goal of ${host.capabilities.title} itself (/goal)`, end: 'type "/goal clear"' }]
    : [];
}

async function pluginLoop({ session, cwd }: SessionPlace, world: SetupWorld): Promise<readonly Conflict[]> {
  const file = hostOf(session)?.capabilities.loopPluginFile;
  const loop = file === undefined ? undefined : await activeLoopIn(cwd, file, world);
  if (loop === undefined || (loop.session !== null && loop.session !== session.id)) return [];
  return [
    {
      what: `a loop of the ${loop.dialect} plugin (${file})`,
      end: `delete ${file}; to keep its loop, first: tireless import ${file} --agent ${session.host}`,
    },
  ];
}

/** The loop of a state file that this session drives from its next stop on. */
async function waitingLoop({ session, cwd }: SessionPlace, { services }: SetupWorld): Promise<readonly Conflict[]> {
  const waiting = await findFilesWaitingFor(session, cwd, services);
  return waiting.map(({ dialect, place }) => ({
    what: `a loop of ${dialect} (${oneLine(place.file, PATH_CHARS_MAX)})`,
    end: `"tireless cancel ${oneLine(place.file, PATH_CHARS_MAX)}", or the command cancel-ralph in its session`,
  }));
}

function hostOf({ host }: SessionRef): Host | undefined {
  return Object.values(HOSTS).find(({ id }) => id === host);
}

/** The active loop of another tool in a state file of this project. */
export async function activeLoopIn(
  project: string,
  file: string,
  { services }: Pick<SetupWorld, 'services'>,
): Promise<{ readonly dialect: string; readonly session: string | null } | undefined> {
  const name = dialectOfPath(file);
  const text = readTextIfExists(path.join(project, file));
  if (name === undefined || name === PRD || text === undefined) return undefined;
  const reading = (await services.dialect(name)).read(text);
  return reading.kind === 'loop' && reading.active ? { dialect: name, session: reading.session } : undefined;
}
