import { turnEnded } from '../core/event.ts';
import type { DialectHandled } from './dialect-loop.ts';
import type { DialectPlace } from './loop-of-file.ts';
import type { UserAdditions } from './start-from-file.ts';
import { handleDialectEvent } from './dialect-loop.ts';
import type { Pipeline } from './pipeline.ts';
import { perform } from './pipeline.ts';
import type { TurnReport } from './ports.ts';

export type StopDetails = {
  /** The length of the transcript: distinguishes one stop reported twice from two stops. Absent = every report counts. */
  readonly transcriptBytes?: number | undefined;
  /** The user's checks and limits in addition to the document's. */
  readonly extras?: UserAdditions | undefined;
};

/** A stop of a session whose project contains a dialect's file, as the programmatic interface of the document reports it. */
export function* handleStopInFile(
  place: DialectPlace,
  report: TurnReport,
  { transcriptBytes, extras }: StopDetails = {},
): Pipeline<DialectHandled> {
  const mark =
    transcriptBytes === undefined
      ? undefined
      : { messageHash: yield* perform('hashText', report.message ?? ''), transcriptBytes };
  return yield* handleDialectEvent(place, turnEnded(mark), report, extras);
}
