import { isHeldUp } from '../core/background-work.ts';
import type { Event } from '../core/event.ts';
import type { Words } from '../dialects/dialect.ts';
import { setBackText } from '../dialects/set-back.ts';
import type { DialectHandled } from '../engine/dialect-loop.ts';
import { answerOf, handleDialectEvent } from '../engine/dialect-loop.ts';
import type { OurEvent, Steps } from './answer-payload.ts';
import { DELAY_MS_MAX, step } from './answer-payload.ts';
import { isNewLoop, sightingsFrom, placeOf } from './dialect-place.ts';
import type { DialectAnswer, Scene } from './dialect-scene.ts';
import { joinNotices, answerWith, NO_LOOP, ownLoop } from './dialect-scene.ts';
import { failedNotice, noticeOf, outlastedNotice } from './notices.ts';

export function* answerTurn(scene: Scene, turn: Event): Steps<DialectAnswer> {
  const answer = yield* judgeTurn(scene, turn);
  if (turn.kind !== 'turn-failed' || scene.request.wakes !== true || answer.kind !== 'words' || !answer.words.sendsBack)
    return answer;
  const words: Words = { ...answer.words, sendsBack: false, text: '', notice: failedNotice(turn.failure.detail) };
  return { ...answer, words, delayMs: 0 };
}

function* judgeTurn(scene: Scene, turn: Event): Steps<DialectAnswer> {
  const { event, request, project, extras } = scene;
  const { session } = event;
  const { stop } = extras;
  if (stop !== undefined) {
    const report = yield* reportAfterWait(scene);
    if (report === null || report.userFirst === true) return answerWith(NO_LOOP);
    const { extras: asked, approval } = request;
    const stopRequest = {
      project,
      session,
      event: turn,
      report,
      extras: asked,
      approval,
      delayMaxMs: turn.kind === 'turn-failed' && request.wakes === true ? 0 : DELAY_MS_MAX,
      ...sightingsFrom(scene),
    };
    const words = yield* step(() => stop(stopRequest));
    return answerWith(report.outlasted === true ? yield* withOutlasted(scene, words) : words);
  }
  const { handled, outlasted: isOutlasted } = yield* handleAfterWait(scene, turn);
  const { decision, reading, loaded } = handled;
  const settled = extras.settle?.(project, turn, handled) ?? null;
  const words = request.dialect.wordsFor(answerOf(handled));
  // A document ends in its own words, or in none.
  const place = handled.file === undefined ? undefined : { name: request.dialect.name, file: handled.file };
  const own =
    decision.kind === 'complete'
      ? null
      : noticeOf({ decision, reading, loop: loaded?.state.loop ?? null, dialect: loaded?.spec.dialect ?? place });
  const shown = words.notice ?? settled ?? own;
  const isJudged = isOutlasted && decision.kind !== 'abstain';
  const outlasted = isJudged && loaded !== undefined ? outlastedNotice(loaded) : null;
  const setBack = setBackText(handled);
  const notice = joinNotices(shown, outlasted, setBack === null ? null : `tireless: ${setBack}`);
  return {
    kind: 'words',
    words: { ...words, ...(notice === null ? {} : { notice }) },
    delayMs: decision.kind === 'continue' ? decision.delayMs : 0,
  };
}

/** The document's own stop replies only in words: the loop shows whether that stop was judged. */
function* withOutlasted(scene: Scene, words: Words): Steps<Words> {
  const { own } = yield* ownLoop(scene);
  const isJudged = own?.state.lastTrouble?.code === 'background-work';
  const notice = joinNotices(words.notice ?? null, isJudged ? outlastedNotice(own) : null);
  return notice === null ? words : { ...words, notice };
}

/** After a failed turn nobody works until a turn begins: by the user, by the host, or because the agent is woken. */
function reportOf({ event, report }: OurEvent): OurEvent['report'] {
  return event.kind === 'turn-failed' ? { ...report, rests: true } : report;
}

/** The part of a stop's report that does not depend on one file; `null` = not now: the host wakes the agent when its background work ends. */
function* reportAfterWait(scene: Scene): Steps<OurEvent['report'] | null> {
  const { event, ports } = scene;
  const report = reportOf(event);
  if (report.backgroundWork !== true || report.userFirst === true) return report;
  const { own } = yield* ownLoop(scene);
  const isNew = own === undefined || own.state.status === 'pending';
  if (isNew ? !isNewLoop(scene) : own.state.status !== 'running') return null;
  if (!isHeldUp(own?.state ?? {}, report)) return report;
  return (yield* step(() => ports.waitForBackground(event, own))) ? { ...report, outlasted: true } : null;
}

/** `file`: relative to the project. */
type HandledFile = DialectHandled & { readonly file?: string };

/** A stop with background work is judged only after that work has ended or outlasted the wait. */
function* handleAfterWait(
  scene: Scene,
  turn: Event,
): Steps<{ readonly handled: HandledFile; readonly outlasted: boolean }> {
  const { event, ports } = scene;
  const report = reportOf(event);
  const handled = yield* handleFiles(scene, turn, report);
  const { decision, loaded } = handled;
  if (decision.kind !== 'abstain' || decision.because !== 'background-work') return { handled, outlasted: false };
  const outlasted = yield* step(() => ports.waitForBackground(event, loaded));
  return { handled: outlasted ? yield* handleFiles(scene, turn, { ...report, outlasted }) : handled, outlasted };
}

/** The result for the first file that belongs to this session; otherwise that of the first file. */
function* handleFiles(scene: Scene, turn: Event, report: OurEvent['report']): Steps<HandledFile> {
  const { request, ports, files } = scene;
  let first: HandledFile | undefined;
  for (const file of files) {
    const place = placeOf(scene, file);
    const handled = yield* step(() => ports.run(handleDialectEvent(place, turn, report, request.extras)));
    if (isAnswer(handled)) return { ...handled, file };
    if (first === undefined || (first.reading === null && handled.reading !== null)) first = { ...handled, file };
  }
  return first ?? { decision: { kind: 'abstain', because: 'no-loop' }, reading: null };
}

function isAnswer({ decision, reading }: DialectHandled): boolean {
  if (decision.kind !== 'abstain') return true;
  return decision.because !== 'no-loop' && decision.because !== 'ended' && reading !== null;
}
