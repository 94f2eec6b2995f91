import type { Event, SessionEvent } from '../core/event.ts';
import { isHandedOver } from '../core/handed-over.ts';
import type { SessionRef } from '../core/loop.ts';
import { isPlainId } from '../core/shell-word.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { DialectExtras } from '../engine/dialect-extras.ts';
import { handleEvent } from '../engine/handle-event.ts';
import { handleLiveEvent } from '../engine/live-event.ts';
import type { LiveFile } from '../engine/live-file.ts';
import { findMovedLoop, markMoveShown } from '../engine/moved-away.ts';
import type { Pipeline } from '../engine/pipeline.ts';
import type { Loaded } from '../engine/ports.ts';
import { withUserFirst } from '../engine/session-talk.ts';
import { markOutcomeShown, unseenOutcome } from '../engine/unseen-outcome.ts';
import { standstillOf } from '../views/standstill.ts';
import type { Steps } from './answer-payload.ts';
import { step } from './answer-payload.ts';
import { unseenNotice } from './notices.ts';
import { movedNotice } from './offers.ts';

/** The loop that this session has in a state file, and what its notices need. */
export type OwnLoop = {
  readonly own: Loaded | undefined;
  readonly dialect: Dialect;
  readonly extras: DialectExtras;
  readonly run: <R>(pipeline: Pipeline<R>) => Promise<R>;
};

/** A pause or an end of this session's loop that the user has not seen, in the words of its document if there are any; `null` = none. */
export function* unseenOutcomeNotice({ own, dialect, extras, run }: OwnLoop): Steps<string | null> {
  const decision = own === undefined ? null : unseenOutcome(own.state);
  if (own === undefined || decision === null) return null;
  const notice =
    extras.outcomeNotice?.(own) ?? dialect.wordsFor({ decision, loop: own, reading: null }).notice ?? unseenNotice(own);
  if (notice !== null) yield* step(() => run(markOutcomeShown(own)));
  return notice;
}

/** The user took the loop of this session to another one. */
export function* movedAwayNotice(
  { dialect, run }: OwnLoop,
  session: SessionRef,
  project: string,
): Steps<string | null> {
  const moved = yield* step(() => run(findMovedLoop(session)));
  if (moved?.spec.dialect?.name !== dialect.name || moved.state.cwd !== project) return null;
  yield* step(() => run(markMoveShown(moved)));
  return movedNotice(
    moved,
    `tireless resume ${moved.state.loop} --session ${isPlainId(session.id) ? session.id : 'ID'} --force`,
  );
}

/**
 * The last turn failed and was not retried: the user sees why the loop is idle. The user's message begins a turn, so a process that waits
 * to wake the agent leaves it alone.
 */
export function* continueAfterFailure({ own, run }: OwnLoop, event: Event | SessionEvent): Steps<string | null> {
  if (own?.state.resting === undefined) return null;
  const standstill = standstillOf(own.state);
  if (standstill === null) return null;
  const { loop } = own.state;
  if (event.kind === 'session-started')
    return `tireless: loop ${loop} is idle: ${standstill.reason}; write to the agent to continue`;
  if (event.kind !== 'prompt-submitted' || event.byHost === true) return null;
  yield* step(() => run(handleEvent(loop, { kind: 'wait-ended', because: 'agent-works' })));
  return `tireless: ${standstill.reason}; loop ${loop} continues with this message`;
}

export type ContinuedByUser = { readonly text: string; readonly notice: string };

/** The user writes to the agent of a loop that waits for exactly that: it continues, and the agent reads its prompt. */
export function* continueByUser(
  { own, dialect, run }: OwnLoop,
  prompt: string,
  live: LiveFile,
): Steps<ContinuedByUser | null> {
  if (own === undefined || !isHandedOver(own.state) || prompt.trim() === '') return null;
  const { loop } = own.state;
  const { decision, loaded } = yield* step(() => run(handleLiveEvent(loop, { kind: 'user-spoke' }, {}, live)));
  if (decision.kind !== 'continue' || loaded === undefined) return null;
  const { text } = dialect.wordsFor({ decision, loop: loaded, reading: null });
  return { text: withUserFirst(text), notice: `tireless: loop ${loop} continues in this session` };
}
