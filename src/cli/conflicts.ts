import path from 'node:path';
import { Fault } from '../core/fault.ts';
import type { SessionRef } from '../core/loop.ts';
import { readTextIfExists } from '../system/files.ts';
import type { World } from './services.ts';

/** Something else that keeps the agent of a session going. */
export type Conflict = { readonly what: string; readonly end: string };

const PLUGIN_FILE = '.claude/ralph-loop.local.md';

type Place = {
  readonly session: SessionRef;
  readonly cwd: string;
  /** The session's own, where the host told; otherwise it is looked for where the host keeps it. */
  readonly transcript?: string | null;
};

/** Two that both send the agent back would each count the other's turns, and neither limit would mean what it says. */
export async function conflictsOf(place: Place, world: World): Promise<readonly Conflict[]> {
  switch (place.session.host) {
    case 'claude-code':
      return [...(await pluginLoop(place, world)), ...(await nativeGoal('Claude Code', place, world))];
    case 'codex':
      return nativeGoal('Codex', place, world);
    case 'qwen':
      return nativeGoal('Qwen Code', place, world);
    default:
      return [];
  }
}

async function nativeGoal(host: string, place: Place, world: World): Promise<readonly Conflict[]> {
  const transcript = place.transcript ?? (await import('./settings/transcript.ts')).transcriptOf(place.session, world);
  if (transcript === undefined) return [];
  const { hasNativeGoal } = await world.services.session();
  return hasNativeGoal(transcript) ? [{ what: `a goal of ${host} itself (/goal)`, end: 'type "/goal clear"' }] : [];
}

async function pluginLoop({ session, cwd }: Place, world: World): Promise<readonly Conflict[]> {
  const text = readTextIfExists(path.join(cwd, PLUGIN_FILE));
  if (text === undefined) return [];
  const reading = (await world.services.dialect('ralph-loop'))?.read(text);
  if (reading?.kind !== 'loop' || !reading.active) return [];
  if (reading.session !== null && reading.session !== session.id) return [];
  return [
    {
      what: `a loop of the ralph-loop plugin (${PLUGIN_FILE})`,
      end: `delete ${PLUGIN_FILE}, or move it here with "tireless import ${PLUGIN_FILE}"`,
    },
  ];
}

export function refuseConflicts(conflicts: readonly Conflict[]): void {
  const [first] = conflicts;
  if (first === undefined) return;
  throw new Fault(
    'LOOP_CONFLICT',
    `Cannot start a loop here: ${first.what} already keeps this session going. End it first (${first.end}), or start with --observe, which only watches.`,
  );
}
