import type { SessionRef } from '../core/loop.ts';
import { isPlainId } from '../core/shell-word.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { DialectPlace } from '../engine/loop-of-file.ts';
import type { SessionProcesses, Sightings } from '../engine/file-owner.ts';
import { mayDriveFile } from '../engine/file-owner.ts';
import type { LiveFile } from '../engine/live-file.ts';
import type { OurEvent } from './answer-payload.ts';
import type { HookFiles } from './hook-world.ts';

/** A session, and the project whose state files it may drive. */
type Scene = {
  readonly event: OurEvent;
  readonly request: { readonly dialect: Dialect };
  readonly ports: { readonly files: HookFiles };
  readonly project: string;
  readonly processes?: SessionProcesses | undefined;
};

export function placeOf(scene: Scene, file: string): DialectPlace {
  const { event, request, ports, project } = scene;
  const live = liveFile(request, ports, project, file);
  return { live, cwd: project, file, session: event.session, ...sightingsFrom(scene) };
}

/** Hosts keep one transcript per session, side by side and named by its id; a session at work writes to its own. */
export function sightingsFrom({ event, ports, processes }: Pick<Scene, 'event' | 'ports' | 'processes'>): Sightings {
  const { session, transcriptPath } = event;
  if (transcriptPath?.includes(session.id) !== true) return {};
  const transcriptOf = ({ host, id }: SessionRef): string | null =>
    host === session.host && isPlainId(id) ? transcriptPath.split(session.id).join(id) : null;
  return {
    lastSeenMs: (other) => {
      const transcript = transcriptOf(other);
      return transcript === null ? undefined : ports.files.modifiedMs(transcript);
    },
    restsSinceMs: (other) => {
      const transcript = transcriptOf(other);
      return transcript === null ? null : (processes?.restsSinceMs(other, transcript) ?? null);
    },
  };
}

export function liveFile(
  { dialect }: Scene['request'],
  { files }: Scene['ports'],
  project: string,
  file: string,
): LiveFile {
  return { dialect, path: files.pathOf(project, file) };
}

/** Would a loop begin with this stop? */
export function isNewLoop({
  event,
  request,
  ports,
  project,
  files,
}: Scene & { readonly files: readonly string[] }): boolean {
  return files.some((file) => {
    const text = ports.files.read(ports.files.pathOf(project, file));
    const reading = text === undefined ? undefined : request.dialect.read(text);
    return reading?.kind === 'loop' && reading.active && mayDriveFile(reading, event.session);
  });
}
