import type { Event } from '../../core/event.ts';
import type { Loop } from '../../core/journal.ts';
import type { PauseWords } from '../../dialects/loop-mechanics/words.ts';
import { pauseText, resumeCommand, summaryReport } from '../../dialects/loop-mechanics/words.ts';
import type { DialectHandled, DialectPlace, Extras } from '../../engine/dialect-loop.ts';
import { handleDialectEvent } from '../../engine/dialect-loop.ts';
import type { TurnReport } from '../../engine/ports.ts';
import type { EngineRoom } from '../engine-room.ts';
import { stateIn } from './state-file.ts';
import type { Tasks } from './tasks.ts';
import { checkpoint } from './tasks.ts';

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
  checkpoint(stateIn(scene.room, scene.place), scene.tasks);
  return handled;
}

/** Prints what was done; `null` = there is nothing to tell it from. */
export function reported(scene: Scene, loop: Loop | undefined): string | null {
  const state = stateIn(scene.room, scene.place);
  if (loop === undefined || state === null) return null;
  const report = summaryReport(state, loop);
  scene.print(report);
  return report;
}

/** Prints why, and how to go on. */
export function pausedText(scene: Scene, words: PauseWords, { state: { loop } }: Loop): Paused {
  const { reason } = words;
  const state = stateIn(scene.room, scene.place);
  const text = state === null ? reason : pauseText(words, loop, state);
  scene.print(text);
  return { reason, resumeCommand: resumeCommand(loop), text };
}
