import path from 'node:path';
import { Fault } from '../core/fault.ts';
import type { SessionRef } from '../core/loop.ts';
import { PRD } from '../dialects/names.ts';
import { dialectOfPath } from '../dialects/registry.ts';
import type { Host } from '../hosts/host.ts';
import { HOSTS } from '../hosts/hosts.ts';
import { readTextIfExists } from '../system/files.ts';
import type { World } from './services.ts';

/** Something else that keeps the agent of a session going. */
export type Conflict = { readonly what: string; readonly end: string };

type Place = {
  readonly session: SessionRef;
  readonly cwd: string;
  /** The session's own, where the host told; otherwise it is looked for where the host keeps it. */
  readonly transcript?: string | null;
};

/** Two that both send the agent back would each count the other's turns, and neither limit would mean what it says. */
export async function conflictsOf(place: Place, world: World): Promise<readonly Conflict[]> {
  return [...(await pluginLoop(place, world)), ...(await ownGoal(place, world))];
}

/** A goal of the host itself, in this session. */
export async function ownGoal(place: Place, world: World): Promise<readonly Conflict[]> {
  const host = hostOf(place.session);
  if (host?.capabilities.ownGoal !== true) return [];
  const transcript =
    place.transcript ?? (await import('../setup/settings/transcript.ts')).transcriptOf(place.session, world);
  if (transcript === undefined) return [];
  const { hasNativeGoal } = await world.services.session();
  return hasNativeGoal(host, transcript)
    ? [{ what: `a goal of ${host.capabilities.title} itself (/goal)`, end: 'type "/goal clear"' }]
    : [];
}

async function pluginLoop({ session, cwd }: Place, world: World): Promise<readonly Conflict[]> {
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

function hostOf({ host }: SessionRef): Host | undefined {
  return Object.values(HOSTS).find(({ id }) => id === host);
}

/** The loop of another tool in a state file of this project, while it says that it is active. */
export async function activeLoopIn(
  project: string,
  file: string,
  { services }: Pick<World, 'services'>,
): Promise<{ readonly dialect: string; readonly session: string | null } | undefined> {
  const name = dialectOfPath(file);
  const text = readTextIfExists(path.join(project, file));
  if (name === undefined || name === PRD || text === undefined) return undefined;
  const reading = (await services.dialect(name)).read(text);
  return reading.kind === 'loop' && reading.active ? { dialect: name, session: reading.session } : undefined;
}

export function refuseConflicts(conflicts: readonly Conflict[]): void {
  const [first] = conflicts;
  if (first === undefined) return;
  throw new Fault(
    'LOOP_CONFLICT',
    `Cannot start a loop here: ${first.what} already keeps this session going. End it first (${first.end}), or start with --observe, which only watches.`,
  );
}
