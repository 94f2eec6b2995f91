import type { Event } from '../../core/event.ts';
import type { Loop } from '../../core/journal.ts';
import { isSameSession } from '../../core/loop.ts';
import type { PauseWords } from '../../dialects/loop-mechanics/words.ts';
import { pauseText, resumeCommand, summaryReport } from '../../dialects/loop-mechanics/words.ts';
import type { DialectHandled } from '../../engine/dialect-loop.ts';
import type { DialectPlace } from '../../engine/loop-of-file.ts';
import type { UserAdditions } from '../../engine/start-from-file.ts';
import { handleDialectEvent } from '../../engine/dialect-loop.ts';
import type { Loaded, TurnReport } from '../../engine/ports.ts';
import type { EmbeddedEngine } from '../embedded-engine.ts';
import { stateIn } from './state-file.ts';
import type { Tasks } from './tasks.ts';
import { checkpoint } from './tasks.ts';

/** What the parts of the lifecycle share. */
export type LoopSession = {
  readonly engine: EmbeddedEngine;
  readonly place: DialectPlace;
  readonly tasks: Tasks;
  readonly extras: UserAdditions;
  readonly print: (text: string) => void;
};

export type PauseReport = { readonly reason: string; readonly resumeCommand: string; readonly text: string };

/** Posts one event, then writes the checkpoint. */
export function postEvent(session: LoopSession, event: Event, report: TurnReport = {}): DialectHandled {
  const handled = session.engine.run(handleDialectEvent(session.place, event, report, session.extras));
  checkpoint(handled, stateIn(session.engine, session.place), session.tasks);
  return handled;
}

/** The current loop of the file: a new file starts one, and an edit is applied. The event itself does nothing to a loop that has begun. */
export function noticeFile(session: LoopSession): Loaded | undefined {
  return postEvent(session, { kind: 'baseline-taken' }).loaded;
}

export function isOwner({ place }: LoopSession, { state }: Loop): boolean {
  return isSameSession(state.session, place.session);
}

/** Prints the summary; `null` = there is nothing to report. */
export function printReport(session: LoopSession, loop: Loop | undefined): string | null {
  const state = stateIn(session.engine, session.place);
  if (loop === undefined || state === null) return null;
  const report = summaryReport(state, loop);
  session.print(report);
  return report;
}

/** Prints why it paused, and how to continue. */
export function printPause(session: LoopSession, words: PauseWords, { state: { loop } }: Loop): PauseReport {
  const { reason } = words;
  const state = stateIn(session.engine, session.place);
  const text = state === null ? reason : pauseText(words, loop, state);
  session.print(text);
  return { reason, resumeCommand: resumeCommand(loop), text };
}
