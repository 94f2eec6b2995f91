import { isHeldUp } from '../core/background-work.ts';
import type { FailedTurn, SessionEvent } from '../core/event.ts';
import { isOnTrial } from '../core/room.ts';
import { findMovedLoop } from '../engine/moved-away.ts';
import type { Pipeline } from '../engine/pipeline.ts';
import type { OwnPaths } from '../engine/people-only.ts';
import type { Loaded } from '../engine/ports.ts';
import type { SessionAnswer } from '../engine/session-event.ts';
import { findSessionLoop, handleSessionEvent } from '../engine/session-event.ts';
import { markOutcomeShown } from '../engine/unseen-outcome.ts';
import type { Host, HostAnswer } from '../hosts/host.ts';
import type { Loops, OurEvent, Steps, Wording } from './answer-payload.ts';
import { step } from './answer-payload.ts';
import { lateNotice, noticeOfLoop, noticeOfTrial, outlastedNotice, slowStartNotice, unseenNotice } from './notices.ts';

/** An answer without the name of its event. */
export type AnswerDraft = HostAnswer extends infer Answer
  ? Answer extends HostAnswer
    ? Omit<Answer, 'name'>
    : never
  : never;

export type NativeAnswer = { readonly draft: AnswerDraft; readonly delayMs: number };

type TypedCommand = SessionEvent & { readonly kind: 'command-typed' };

export type NativePorts = {
  /** The files that the agent may not touch. */
  readonly own: OwnPaths;
  readonly run: <R>(pipeline: Pipeline<R>) => R | Promise<R>;
  /** Called after the commit and before the reply, with the loop after the event. */
  readonly settle: (loaded: Loaded, event: OurEvent) => void | Promise<void>;
  readonly answerTyped: (typed: TypedCommand, event: OurEvent) => AnswerDraft | Promise<AnswerDraft>;
  /** A session without a loop begins: others may be open in its project. */
  readonly offerLoops: (event: OurEvent) => AnswerDraft | Promise<AnswerDraft>;
  /** In the session that the user took this loop from. */
  readonly answerMoved: (loaded: Loaded, event: OurEvent) => AnswerDraft | Promise<AnswerDraft>;
  /** Something else may keep this session going too; `null` = it does not, or the user was already notified. */
  readonly noticeOtherLoop: (loaded: Loaded, event: OurEvent) => string | null | Promise<string | null>;
  /** Was the hook that began this loop killed while its checks were running? If so, this one does not wait for them. */
  readonly isCutOff: (loaded: Loaded) => boolean | Promise<boolean>;
  /** Waits for background work; `true` = it is still running. */
  readonly waitForBackground: (event: OurEvent, loaded: Loaded) => boolean | Promise<boolean>;
  /** The last turn of this loop's session, if it failed and no hook was called for it; otherwise `undefined`. */
  readonly failedTurn: (event: OurEvent) => FailedTurn | undefined | Promise<FailedTurn | undefined>;
  /** For a user who returns to a loop; `null` = none. */
  readonly noticeOnReturn: (loaded: Loaded, event: OurEvent) => string | null | Promise<string | null>;
};

export const SILENT: AnswerDraft = { kind: 'silent', notice: null };

/** Native loops: found by the session they were armed for. */
export function nativeLoops(ports: NativePorts): Loops<Loaded | undefined, NativeAnswer> {
  return {
    *find(event) {
      return event.event.kind === 'command-typed' ? undefined : yield* step(() => ports.run(findSessionLoop(event)));
    },
    *handle(event, found) {
      const { event: happened } = event;
      if (happened.kind === 'command-typed') return atOnce(yield* step(() => ports.answerTyped(happened, event)));
      if (found !== undefined) return yield* handleFound(event, found, ports);
      const moved = isShownTo(event) ? yield* step(() => ports.run(findMovedLoop(event.session))) : undefined;
      if (moved !== undefined) return atOnce(yield* step(() => ports.answerMoved(moved, event)));
      return atOnce(happened.kind === 'session-started' ? yield* step(() => ports.offerLoops(event)) : SILENT);
    },
  };
}

/** In the words of the host. */
export function hostWording({ encode }: Pick<Host, 'encode'>): Wording<NativeAnswer> {
  return {
    silence: () => encode({ ...SILENT, name: '' }),
    reply: ({ draft }, { name }) => encode({ ...draft, name }),
  };
}

function* handleFound(event: OurEvent, known: Loaded, ports: NativePorts): Steps<NativeAnswer> {
  const isUnseen = known.state.unseen === true && isShownTo(event);
  const found = isUnseen ? yield* step(() => ports.run(markOutcomeShown(known))) : known;
  const { kind } = event.event;
  const isReturn = kind === 'session-started' || kind === 'prompt-submitted';
  const isCutOff = found.state.status === 'pending' && (yield* step(() => ports.isCutOff(found)));
  // Claude Code ends its hooks when it exits, and only then does its transcript show that the last turn failed.
  const failedTurn = isReturn || kind === 'session-ended' ? yield* step(() => ports.failedTurn(event)) : undefined;
  const outlasted = isWaitedFor(event, found) ? yield* step(() => ports.waitForBackground(event, found)) : false;
  const report = {
    ...event.report,
    ...(failedTurn === undefined ? {} : { failedTurn }),
    ...(outlasted ? { outlasted } : {}),
  };
  const answer = yield* step(() => ports.run(handleSessionEvent({ ...event, report, own: ports.own }, found)));
  const { loaded } = answer;
  const shown = isUnseen ? unseenNotice(known, loaded.state.status === 'running') : null;
  yield* step(() => ports.settle(loaded, event));
  const own = draftOf(answer);
  const draft = { ...own, notice: own.notice ?? (isOnTrial(found.state.room) ? noticeOfTrial(loaded) : null) };
  const later = isReturn ? (draft.notice ?? (yield* step(() => ports.noticeOnReturn(loaded, event)))) : draft.notice;
  const other = event.mayHaveOtherLoop === true ? yield* step(() => ports.noticeOtherLoop(loaded, event)) : null;
  const late = answer.late === undefined ? null : lateNotice(answer.late, loaded);
  const slow = isCutOff && loaded.state.status === 'running' ? slowStartNotice(loaded) : null;
  const outlastedOne = outlasted ? outlastedNotice(loaded) : null;
  const notices = [shown, late, slow, outlastedOne, later, other].filter((line) => line !== null);
  const notice = notices.length === 0 ? null : notices.join('\n');
  return { draft: { ...draft, notice }, delayMs: answer.kind === 'go-on' ? answer.delayMs : 0 };
}

/** A stop that would be judged if the agent had no background work. */
function isWaitedFor({ event, report }: OurEvent, { spec, state }: Loaded): boolean {
  if (event.kind !== 'turn-ended' || report.userFirst === true || spec.observe === true) return false;
  return state.status === 'running' && state.phase === 'working' && isHeldUp(state, report);
}

/** At these events a host shows our notices to the user. */
export function isShownTo({ event: { kind } }: Pick<OurEvent, 'event'>): boolean {
  return kind === 'turn-ended' || kind === 'prompt-submitted' || kind === 'session-started';
}

function atOnce(draft: AnswerDraft): NativeAnswer {
  return { draft, delayMs: 0 };
}

function draftOf(answer: SessionAnswer): AnswerDraft {
  const notice = noticeFor(answer);
  switch (answer.kind) {
    case 'silent':
      return { kind: 'silent', notice };
    case 'go-on':
      return { kind: 'go-on', prompt: answer.prompt, ...(answer.fresh ? { fresh: true } : {}), notice };
    case 'context':
      return { kind: 'context', text: answer.text, notice };
    case 'refuse':
      return { kind: 'refuse', reason: answer.reason, notice };
  }
}

/** Most stops have no notice, so the sentences are loaded only for the others. */
function noticeFor({ decision, loaded }: SessionAnswer): string | null {
  if (decision === undefined) return null;
  const isWaiting = decision.kind === 'abstain' && decision.because === 'background-work';
  const isOver = decision.kind === 'complete' || decision.kind === 'halt' || decision.kind === 'pause';
  return isWaiting || isOver ? noticeOfLoop(decision, loaded) : null;
}
