import { isHeldUp } from '../core/background-work.ts';
import type { ApprovalRules, DialectExtras } from '../engine/dialect-extras.ts';
import type { Event } from '../core/event.ts';
import { isSessionEvent } from '../core/event.ts';
import { Fault } from '../core/fault.ts';
import type { FileOffer } from '../core/foreign-file.ts';
import { isSameSession } from '../core/loop.ts';
import type { Dialect, Words } from '../dialects/dialect.ts';
import { isDialectName } from '../dialects/names.ts';
import { DIALECTS } from '../dialects/registry.ts';
import { setBackText } from '../dialects/set-back.ts';
import { stateFilesOf } from '../dialects/state-files.ts';
import type { DialectHandled } from '../engine/dialect-loop.ts';
import type { Extras } from '../engine/start-from-file.ts';
import { answerOf, handleDialectEvent } from '../engine/dialect-loop.ts';
import { loopOfFile } from '../engine/loop-of-file.ts';
import { offerOfFile } from '../engine/file-offer.ts';
import { endWithSession, leaveSession, returnSession } from '../engine/obey-file.ts';
import { BROKEN_SHOWN_MAX, brokenFiles } from '../engine/pick-file.ts';
import type { Pipeline } from '../engine/pipeline.ts';
import type { AsyncEffects, Loaded } from '../engine/ports.ts';
import { handleToolInFile } from '../engine/tool-in-file.ts';
import { fileOfferLine } from '../views/file-offer.ts';
import type { Loops, OurEvent, Steps } from './answer-payload.ts';
import { DELAY_MS_MAX, step } from './answer-payload.ts';
import type { HookFiles, HookWorld } from './hook-world.ts';
import type { OwnLoop } from './dialect-session.ts';
import { isNewLoop, lastSeenLookup, liveFile, placeOf } from './dialect-place.ts';
import { continueAfterFailure, continueByUser, showMoved, showUnseen } from './dialect-session.ts';
import { isShownTo } from './native-loops.ts';
import { brokenNotice, failedNotice, noticeOf, outlastedNotice } from './notices.ts';

/** The options of `tireless hook HOST --dialect NAME`. */
export type DialectRequest = {
  readonly dialect: Dialect;
  readonly extras: Extras;
  /** The file with the TODOs, for a document with reminders; `undefined` = its default. */
  readonly todos: string | undefined;
  readonly approval: ApprovalRules;
  /** After a turn that failed, this process waits and wakes the agent: the reply itself sends nobody back. */
  readonly wakes?: boolean;
};

export type DialectPorts = Pick<HookWorld, 'env' | 'projectDirectory'> & {
  readonly files: HookFiles;
  readonly run: <R>(pipeline: Pipeline<R>) => Promise<R>;
  readonly effects: Pick<AsyncEffects, 'load' | 'loopOfSession'>;
  readonly dialectExtras: (name: string) => Promise<DialectExtras>;
  /** Waits for work in the background; `true` = it is still not done. `loaded`: absent = the file has no loop yet. */
  readonly waitForBackground: (event: OurEvent, loaded?: Loaded) => Promise<boolean>;
};

export type DialectAnswer = { readonly delayMs: number } & (
  | { readonly kind: 'words'; readonly words: Words }
  /** About a tool: documents have no words for that, so the host's are used. `reason`: it is refused. */
  | { readonly kind: 'tool'; readonly reason: string | null }
  /** Text for the agent, before it reads on. */
  | {
      readonly kind: 'context';
      readonly at: 'SessionStart' | 'UserPromptSubmit';
      readonly text: string;
      /** For the user's eyes. */
      readonly notice?: string;
    }
);

type Found = {
  readonly project: string;
  readonly extras: DialectExtras;
  /** Where the state file may be, relative to the project, best first. */
  readonly files: readonly string[];
};

type Scene = { readonly event: OurEvent; readonly request: DialectRequest; readonly ports: DialectPorts } & Found;

export const NO_LOOP: Words = { goesOn: false, text: '', reason: 'no active loop' };

/** Loops in the state files of a document: found by the file, in the project of the session. */
export function dialectLoops(request: DialectRequest, ports: DialectPorts): Loops<Found, DialectAnswer> {
  return {
    *find(event) {
      const project = ports.projectDirectory(event.cwd);
      const extras = yield* step(() => ports.dialectExtras(request.dialect.name));
      refuseTodos(request, extras);
      const possible = possibleFiles(event, project, request, ports);
      const isInFiles = !isSessionEvent(event.event) && extras.stop === undefined;
      const own = isInFiles ? yield* ownFile(event, project, request, ports) : undefined;
      return { project, extras, files: own === undefined ? possible : [...new Set([own, ...possible])] };
    },
    *handle(event, found) {
      const scene = { event, request, ports, ...found };
      const shown = isShownTo(event) ? yield* showToUser(scene) : null;
      const answer = yield* answerEvent(scene);
      return shown === null ? answer : withNotice(answer, shown);
    },
  };
}

function* answerEvent(scene: Scene): Steps<DialectAnswer> {
  const { event: happened } = scene.event;
  if (happened.kind === 'tool-requested') return yield* answerTool(scene);
  if (happened.kind === 'session-ended') return yield* endSession(scene, happened.switches === true);
  if (isSessionEvent(happened)) yield* returnTo(scene);
  if (happened.kind === 'prompt-submitted') {
    const heard = happened.byHost === true ? null : yield* userSpoke(scene, happened.prompt);
    return heard ?? (yield* remind(scene));
  }
  if (happened.kind === 'session-started') return yield* announce(scene);
  return isSessionEvent(happened) ? inWords(NO_LOOP) : yield* answerTurn(scene, happened);
}

/** At a stop the broken file is in the answer; here nobody else would report it. */
function* showToUser(scene: Scene): Steps<string | null> {
  const { kind } = scene.event.event;
  const isHere = kind === 'session-started' || kind === 'prompt-submitted';
  return inLines(yield* showInSession(scene), ...(isHere ? yield* brokenLines(scene) : []));
}

/** What there is to show, one below the other; `null` = nothing. */
function inLines(...notices: readonly (string | null)[]): string | null {
  const shown = notices.filter((notice) => notice !== null);
  return shown.length === 0 ? null : shown.join('\n');
}

function* brokenLines(scene: Scene): Steps<readonly string[]> {
  const { event, request, ports, project, files } = scene;
  const all = {
    dialect: request.dialect.name,
    project,
    files,
    session: event.session,
    placeOf: (file: string) => placeOf(scene, file),
  };
  const broken = yield* step(() => ports.run(brokenFiles(all)));
  return broken.slice(0, BROKEN_SHOWN_MAX).map(brokenNotice);
}

/** What the user of this session has not seen: how its loop paused or ended, or that it will hear their answer. */
function* showInSession(scene: Scene): Steps<string | null> {
  const mine = yield* ownLoop(scene);
  if (mine.own === undefined) return yield* showMoved(mine, scene.event.session, scene.project);
  const unseen = yield* showUnseen(mine);
  const rested = yield* continueAfterFailure(mine, scene.event.event);
  if (rested !== null) return rested;
  if (unseen !== null || mine.own.state.status !== 'paused' || !isSessionEvent(scene.event.event)) return unseen;
  const answer = mine.extras.answerNotice?.(mine.own) ?? null;
  return answer === null ? null : `tireless: ${answer}`;
}

function withNotice(answer: DialectAnswer, shown: string): DialectAnswer {
  const both = (notice: string | undefined): string => (notice === undefined ? shown : `${shown}\n${notice}`);
  if (answer.kind === 'words') return { ...answer, words: { ...answer.words, notice: both(answer.words.notice) } };
  return answer.kind === 'context' ? { ...answer, notice: both(answer.notice) } : answer;
}

function* ownLoop({ event, project, request, ports, extras }: Scene): Steps<OwnLoop> {
  const own = yield* loopInOwnFile(event, project, request, ports);
  return { own, dialect: request.dialect, extras, run: ports.run };
}

function* userSpoke(scene: Scene, prompt: string): Steps<DialectAnswer | null> {
  const mine = yield* ownLoop(scene);
  const file = mine.own?.spec.dialect?.file ?? '';
  const heard = yield* continueByUser(mine, prompt, liveFile(scene.request, scene.ports, scene.project, file));
  return heard === null ? null : { kind: 'context', at: 'UserPromptSubmit', ...heard, delayMs: 0 };
}

function refuseTodos({ dialect, todos }: DialectRequest, { remind: reminds }: DialectExtras): void {
  if (todos === undefined || reminds !== undefined) return;
  throw new Fault('USAGE', `Cannot use --todos with --dialect ${dialect.name}: it lists no TODOs. Leave it out.`);
}

function possibleFiles(
  { session }: OurEvent,
  project: string,
  { dialect }: DialectRequest,
  { files }: DialectPorts,
): readonly string[] {
  return stateFilesOf(dialect, session.id, (folder) => files.list(files.pathOf(project, folder)));
}

/** The file of the session's own loop comes first at a turn, also when it is gone: people cancel by removing it. */
function* ownFile(
  event: OurEvent,
  project: string,
  request: DialectRequest,
  ports: DialectPorts,
): Steps<string | undefined> {
  return (yield* loopInOwnFile(event, project, request, ports))?.spec.dialect?.file;
}

function* loopInOwnFile(
  { session }: OurEvent,
  project: string,
  { dialect }: DialectRequest,
  { effects }: DialectPorts,
): Steps<Loaded | undefined> {
  const bound = yield* step(() => effects.loopOfSession(session));
  const loaded = bound === undefined ? undefined : yield* step(() => effects.load(bound));
  const isOwn = loaded?.spec.dialect?.name === dialect.name && loaded.state.cwd === project;
  return isOwn && isSameSession(loaded.state.session, session) ? loaded : undefined;
}

function* answerTurn(scene: Scene, turn: Event): Steps<DialectAnswer> {
  const answer = yield* judgeTurn(scene, turn);
  if (turn.kind !== 'turn-failed' || scene.request.wakes !== true || answer.kind !== 'words' || !answer.words.goesOn)
    return answer;
  const words = { ...answer.words, goesOn: false, text: '', notice: failedNotice(turn.failure.detail) };
  return { ...answer, words, delayMs: 0 };
}

function* judgeTurn(scene: Scene, turn: Event): Steps<DialectAnswer> {
  const { event, request, project, extras } = scene;
  const { session } = event;
  const { stop } = extras;
  if (stop !== undefined) {
    const report = yield* reportAfterWait(scene);
    if (report === null || report.userFirst === true) return inWords(NO_LOOP);
    const { extras: asked, approval } = request;
    const stopRequest = {
      project,
      session,
      event: turn,
      report,
      extras: asked,
      approval,
      delayMaxMs: turn.kind === 'turn-failed' && request.wakes === true ? 0 : DELAY_MS_MAX,
      ...lastSeenLookup(event, scene.ports),
    };
    const words = yield* step(() => stop(stopRequest));
    return inWords(report.outlasted === true ? yield* withOutlasted(scene, words) : words);
  }
  const { handled, outlasted: isOutlasted } = yield* handleAfterWait(scene, turn);
  const { decision, reading, loaded } = handled;
  const settled = extras.settle?.(project, turn, handled) ?? null;
  const words = request.dialect.wordsFor(answerOf(handled));
  // A document ends in its own words, or in none.
  const own =
    decision.kind === 'complete'
      ? null
      : noticeOf({ decision, reading, loop: loaded?.state.loop ?? null, dialect: loaded?.spec.dialect });
  const shown = words.notice ?? settled ?? own;
  const isJudged = isOutlasted && decision.kind !== 'abstain';
  const outlasted = isJudged && loaded !== undefined ? outlastedNotice(loaded) : null;
  const setBack = setBackText(handled);
  const notice = inLines(shown, outlasted, setBack === null ? null : `tireless: ${setBack}`);
  return {
    kind: 'words',
    words: { ...words, ...(notice === null ? {} : { notice }) },
    delayMs: decision.kind === 'continue' ? decision.delayMs : 0,
  };
}

/** The document's own stop answers in words only: the loop tells whether that stop was judged. */
function* withOutlasted(scene: Scene, words: Words): Steps<Words> {
  const { own } = yield* ownLoop(scene);
  const isJudged = own?.state.lastTrouble?.code === 'background-work';
  const notice = inLines(words.notice ?? null, isJudged ? outlastedNotice(own) : null);
  return notice === null ? words : { ...words, notice };
}

/** After a failed turn nobody works until a turn begins: by the user, by the host, or because the agent is woken. */
function reportOf({ event, report }: OurEvent): OurEvent['report'] {
  return event.kind === 'turn-failed' ? { ...report, rests: true } : report;
}

/** What to judge a stop by that is not of one file alone; `null` = not now: the host wakes the agent when its work in the background ends. */
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

/** A stop beside work in the background is not judged before that has ended, or outlasted the wait. */
function* handleAfterWait(
  scene: Scene,
  turn: Event,
): Steps<{ readonly handled: DialectHandled; readonly outlasted: boolean }> {
  const { event, ports } = scene;
  const report = reportOf(event);
  const handled = yield* handleFiles(scene, turn, report);
  const { decision, loaded } = handled;
  if (decision.kind !== 'abstain' || decision.because !== 'background-work') return { handled, outlasted: false };
  const outlasted = yield* step(() => ports.waitForBackground(event, loaded));
  return { handled: outlasted ? yield* handleFiles(scene, turn, { ...report, outlasted }) : handled, outlasted };
}

/** The answer of the first file that is about this session; otherwise what was seen of the first. */
function* handleFiles(scene: Scene, turn: Event, report: OurEvent['report']): Steps<DialectHandled> {
  const { event, request, ports, project, files } = scene;
  let first: DialectHandled | undefined;
  for (const file of files) {
    const place = placeOf({ event, request, ports, project }, file);
    const handled = yield* step(() => ports.run(handleDialectEvent(place, turn, report, request.extras)));
    if (isAnswer(handled)) return handled;
    if (first === undefined || (first.reading === null && handled.reading !== null)) first = handled;
  }
  return first ?? { decision: { kind: 'abstain', because: 'no-loop' }, reading: null };
}

function isAnswer({ decision, reading }: DialectHandled): boolean {
  if (decision.kind !== 'abstain') return true;
  return decision.because !== 'no-loop' && decision.because !== 'ended' && reading !== null;
}

/** The time limit is the one the loop was started with; one that is given now applies from now on. Before its first stop a file has no loop. */
function* answerTool({ event, request, ports, project, files }: Scene): Steps<DialectAnswer> {
  const { timing } = request.extras;
  for (const file of files) {
    const place = placeOf({ event, request, ports, project }, file);
    const answer = yield* step(() => ports.run(handleToolInFile(place, timing?.iterationTimeoutMs)));
    if (answer.kind === 'deny') return { kind: 'tool', reason: answer.reason, delayMs: 0 };
  }
  return { kind: 'tool', reason: null, delayMs: 0 };
}

/** A reminder never delays a prompt, and changes no loop. */
function* remind(scene: Scene): Steps<DialectAnswer> {
  const { event, request, ports, project, extras } = scene;
  const { remind: reminder } = extras;
  if (reminder === undefined) return yield* offer(scene, OFFERED_AT_PROMPT);
  const remindRequest = { project, session: event.session.id, todos: request.todos, env: ports.env };
  const { text, notice } = yield* step(() => reminder(remindRequest));
  if (text !== '') return { kind: 'context', at: 'UserPromptSubmit', text, delayMs: 0 };
  return notice === undefined ? yield* offer(scene, OFFERED_AT_PROMPT) : inWords({ ...NO_LOOP, notice });
}

/** A new session reads about the loop that is open in its project. Nobody waits here as at a stop, so leftovers of writes are removed too. */
function* announce(scene: Scene): Steps<DialectAnswer> {
  const { event, request, ports, project, extras, files } = scene;
  const { session } = event;
  for (const file of files) ports.files.removeLeftovers(ports.files.pathOf(project, file));
  if (extras.announce === undefined) return yield* offer(scene, OFFERED_AT_START);
  for (const file of files) {
    const live = liveFile(request, ports, project, file);
    const text = ports.files.read(live.path);
    if (text === undefined) continue;
    const loop = (yield* step(() => ports.run(loopOfFile({ live })))) ?? null;
    const found = yield* step(() => ports.run(offerOfFile(placeOf(scene, file))));
    const announcement = extras.announce(text, { session, loop, offer: found });
    const notice = found === null ? {} : { notice: offerNotice(found, event) };
    if (announcement !== null)
      return { kind: 'context', at: 'SessionStart', text: announcement, delayMs: 0, ...notice };
  }
  return yield* offer(scene, OFFERED_AT_START);
}

/** The loop ends where the document ends it with the session; elsewhere it is free for the session that stops next. */
function* endSession(scene: Scene, switches: boolean): Steps<DialectAnswer> {
  const { event, request, ports, project } = scene;
  const { name } = request.dialect;
  const own = yield* ownFile(event, project, request, ports);
  const ends = isDialectName(name) && DIALECTS[name].endsWithSession === true && !switches;
  if (!ends) {
    if (own !== undefined) yield* step(() => ports.run(leaveSession(placeOf(scene, own))));
    return inWords(NO_LOOP);
  }
  const named = stateFilesOf(request.dialect, event.session.id, () => []);
  for (const file of new Set([...(own === undefined ? [] : [own]), ...named]))
    yield* step(() => ports.run(endWithSession(placeOf(scene, file), named.includes(file))));
  return inWords(NO_LOOP);
}

function* returnTo(scene: Scene): Steps<void> {
  const { event, request, ports, project, extras } = scene;
  extras.returned?.(event.session);
  const own = yield* ownFile(event, project, request, ports);
  if (own !== undefined) yield* step(() => ports.run(returnSession(placeOf(scene, own))));
}

const OFFERED_AT_START: readonly FileOffer['kind'][] = ['free', 'silent', 'driven', 'named'];
/** Not that another session is at work: once per session is enough. */
const OFFERED_AT_PROMPT: readonly FileOffer['kind'][] = ['free', 'silent', 'named'];

/** Why the first file that is not about this session does nothing here, for the eyes of the user. */
function* offer(scene: Scene, kinds: readonly FileOffer['kind'][]): Steps<DialectAnswer> {
  const { event, ports, files } = scene;
  for (const file of files) {
    const found = yield* step(() => ports.run(offerOfFile(placeOf(scene, file))));
    if (found !== null && kinds.includes(found.kind)) return inWords({ ...NO_LOOP, notice: offerNotice(found, event) });
  }
  return inWords(NO_LOOP);
}

function offerNotice(offered: FileOffer, { session }: OurEvent): string {
  return `tireless: ${fileOfferLine(offered, session.id)}`;
}

function inWords(words: Words): DialectAnswer {
  return { kind: 'words', words, delayMs: 0 };
}
