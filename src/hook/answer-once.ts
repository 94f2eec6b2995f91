import type { Report } from '../core/same-report.ts';
import { isSameHappening } from '../core/same-report.ts';
import type { Loaded } from '../engine/ports.ts';
import type { Loops, OurEvent } from './answer-payload.ts';
import { step } from './answer-payload.ts';
import type { SessionWorld } from './hook-world.ts';
import type { NativeAnswer } from './native-loops.ts';
import { SILENT } from './native-loops.ts';

/**
 * tireless may be active twice in a host: as a plugin and by `install`, or for the user and for the project. Of two hooks that report the
 * same prompt, stop or start, one replies and the other is silent: a second reply could refuse what the first has just done, and a second
 * judgement would run the checks again.
 */
export function answerOnce(
  loops: Loops<Loaded | undefined, NativeAnswer>,
  { reports, hostEnvironment }: Pick<SessionWorld, 'reports' | 'hostEnvironment'>,
): Loops<Loaded | undefined, NativeAnswer> {
  return {
    find: loops.find,
    *handle(event, found) {
      const text = textOf(event, found);
      if (text === null) return yield* loops.handle(event, found);
      const report = reportOf(event, hostEnvironment.hashText(text), {
        ...reports.now(),
        monotonicMs: hostEnvironment.beganMs(),
      });
      const noted = yield* step(() => reports.note(event.session, report));
      try {
        if (noted.earlier.some((each) => isSameHappening(each, report))) return { draft: SILENT, delayMs: 0 };
        return yield* loops.handle(event, found);
      } finally {
        noted.close();
      }
    },
  };
}

function reportOf({ event, promptName }: OurEvent, words: string, began: Report['began']): Report {
  const name = event.kind === 'turn-ended' ? event.mark?.stop : promptName;
  return { words, began, ...(name === undefined ? {} : { name }) };
}

/** `null` = two replies do no harm, or nobody replies. */
function textOf({ event }: OurEvent, found: Loaded | undefined): string | null {
  const { kind } = event;
  if (kind === 'command-typed') return JSON.stringify([kind, event.command, event.args]);
  if (kind === 'session-started') return JSON.stringify([kind, event.how]);
  if (found === undefined) return null;
  if (kind === 'prompt-submitted') return JSON.stringify([kind, event.prompt]);
  return kind === 'turn-ended' && event.mark !== undefined ? JSON.stringify([kind, event.mark.messageHash]) : null;
}
