import path from 'node:path';
import type { LoopId, Spec } from '../core/loop.ts';
import { withNote, withTick } from '../engine/tracker-text.ts';
import { readTextIfExists, writeFileAtomic } from '../system/files.ts';
import { ensureTracker } from './tracker-file.ts';

type TrackedLoop = { readonly spec: Spec; readonly loop: LoopId; readonly project: string };
type Note = { readonly text: string; readonly criterion?: string };

/** Adds a note to the tracker of a loop, which is created if it is missing, and ticks a criterion there. */
export function noteInTracker(
  { spec, loop, project }: TrackedLoop,
  { text, criterion }: Note,
): { readonly file: string; readonly ticked: boolean } {
  const tracker = spec.tracker ?? `.tireless/tracker-${loop}.md`;
  ensureTracker({ ...spec, tracker }, project);
  const file = path.join(project, tracker);
  const before = readTextIfExists(file) ?? '';
  const ticked = criterion === undefined ? before : withTick(before, criterion);
  writeFileAtomic(file, withNote(ticked, text), { durable: false });
  return { file: tracker, ticked: ticked !== before };
}
