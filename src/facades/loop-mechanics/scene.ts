import type { Event } from '../../core/event.ts';
import type { Loop } from '../../core/journal.ts';
import { parseSpec } from '../../dialects/loop-mechanics-spec.ts';
import { IN_PROGRESS } from '../../dialects/loop-mechanics-state.ts';
import { pauseText, resumeCommand } from '../../dialects/loop-mechanics-words.ts';
import type { DialectHandled, DialectPlace, Extras } from '../../engine/dialect-loop.ts';
import { handleDialectEvent } from '../../engine/dialect-loop.ts';
import type { TurnReport } from '../../engine/ports.ts';
import type { EngineRoom } from '../engine-room.ts';
import { stateIn } from './state-file.ts';
import type { Tasks } from './tasks.ts';
import { taskOf } from './tasks.ts';

/** What the parts of the lifecycle share. */
export type Scene = {
  readonly room: EngineRoom;
  readonly place: DialectPlace;
  readonly tasks: Tasks;
  readonly extras: Extras;
  readonly print: (text: string) => void;
};

export type Paused = { readonly reason: string; readonly resumeCommand: string; readonly text: string };

/** One event, and the checkpoint after it. */
export function post(scene: Scene, event: Event, report: TurnReport = {}): DialectHandled {
  const handled = scene.room.run(handleDialectEvent(scene.place, event, report, scene.extras));
  checkpoint(scene);
  return handled;
}

export function checkpoint({ room, place, tasks }: Pick<Scene, 'room' | 'place' | 'tasks'>): void {
  const state = stateIn(room, place);
  if (state === null) return;
  const draft = taskOf(state, parseSpec(state.spec).summary);
  const task = tasks.TaskList().findLast((each) => each.subject === draft.subject && each.status === IN_PROGRESS);
  if (task !== undefined) tasks.TaskUpdate(task.id, draft);
}

/** Prints why, and how to go on. */
export function pausedText(scene: Scene, reason: string, { state: { loop } }: Loop): Paused {
  const state = stateIn(scene.room, scene.place);
  const text = state === null ? reason : pauseText(reason, loop, state);
  scene.print(text);
  return { reason, resumeCommand: resumeCommand(loop), text };
}
