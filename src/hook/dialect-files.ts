import path from 'node:path';
import type { Event } from '../core/event.ts';
import type { SessionRef } from '../core/loop.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { stateFilesOf } from '../dialects/state-files.ts';
import type { DialectHandled, Extras } from '../engine/dialect-loop.ts';
import { handleDialectEvent } from '../engine/dialect-loop.ts';
import { runAsync } from '../engine/pipeline.ts';
import type { AsyncEffects, TurnReport } from '../engine/ports.ts';
import { namesIn } from '../system/folder.ts';

export type DialectStop = {
  readonly dialect: Dialect;
  readonly project: string;
  readonly session: SessionRef;
  readonly event: Event;
  readonly report: TurnReport;
  readonly extras: Extras;
};

/** The answer of the first file that has a word to say to this session; otherwise what was seen of the first. */
export async function handleInFiles(stop: DialectStop, effects: AsyncEffects): Promise<DialectHandled> {
  const { dialect, project, session, event, report, extras } = stop;
  let first: DialectHandled | undefined;
  for (const file of await filesOf(stop, effects)) {
    const place = { live: { dialect, path: path.join(project, file) }, cwd: project, file, session };
    const handled = await runAsync(handleDialectEvent(place, event, report, extras), effects);
    if (hasWord(handled)) return handled;
    if (first === undefined || (first.reading === null && handled.reading !== null)) first = handled;
  }
  return first ?? { decision: { kind: 'abstain', because: 'no-loop' }, reading: null };
}

/** The one the session's loop lives in comes first, also when it is gone: that is how people cancel. */
async function filesOf({ dialect, project, session }: DialectStop, effects: AsyncEffects): Promise<readonly string[]> {
  const bound = await effects.loopOfSession(session);
  const loaded = bound === undefined ? undefined : await effects.load(bound);
  const own =
    loaded?.spec.dialect?.name === dialect.name && loaded.state.cwd === project ? [loaded.spec.dialect.file] : [];
  return [...new Set([...own, ...filesIn(dialect, project, session.id)])];
}

/** Where the dialect says that its file may stand, in this project. */
export function filesIn(dialect: Dialect, project: string, session: string): readonly string[] {
  const list = (folder: string): readonly string[] => namesIn(path.join(project, folder));
  return stateFilesOf(dialect, session, list);
}

function hasWord({ decision, reading }: DialectHandled): boolean {
  if (decision.kind !== 'abstain') return true;
  return decision.because !== 'no-loop' && decision.because !== 'ended' && reading !== null;
}
