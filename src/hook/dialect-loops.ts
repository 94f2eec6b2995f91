import type { DialectExtras } from '../engine/dialect-extras.ts';
import { isSessionEvent } from '../core/event.ts';
import { Fault } from '../core/fault.ts';
import type { FileOffer } from '../core/foreign-file.ts';
import { isDialectName } from '../dialects/names.ts';
import { DIALECTS } from '../dialects/registry.ts';
import { stateFilesOf } from '../dialects/state-files.ts';
import { offerOfFile } from '../engine/file-offer.ts';
import { loopOfFile } from '../engine/loop-of-file.ts';
import { endWithSession, leaveSession, returnSession } from '../engine/obey-file.ts';
import { BROKEN_SHOWN_MAX, brokenFiles } from '../engine/pick-file.ts';
import { handleToolInFile } from '../engine/tool-in-file.ts';
import { fileOfferLine } from '../views/file-offer.ts';
import type { Loops, OurEvent, Steps } from './answer-payload.ts';
import { step } from './answer-payload.ts';
import { liveFile, placeOf } from './dialect-place.ts';
import type { DialectAnswer, DialectPorts, DialectRequest, FoundFiles, Scene } from './dialect-scene.ts';
import { joinNotices, answerWith, NO_LOOP, ownFile, ownLoop } from './dialect-scene.ts';
import { continueAfterFailure, continueByUser, movedAwayNotice, unseenOutcomeNotice } from './dialect-session.ts';
import { answerTurn } from './dialect-turn.ts';
import { isShownTo } from './native-loops.ts';
import { brokenNotice } from './notices.ts';
import { noteProcess, releaseDeadSessions } from './session-process.ts';

/** Loops in the state files of a document: found by the file, in the project of the session. */
export function dialectLoops(request: DialectRequest, ports: DialectPorts): Loops<FoundFiles, DialectAnswer> {
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
      const arriving = { event, request, ports, ...found };
      const scene = { ...arriving, processes: yield* releaseDeadSessions(arriving) };
      const shown = isShownTo(event) ? yield* showToUser(scene) : null;
      const answer = yield* answerEvent(scene);
      yield* noteProcess(scene);
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
    const answer = happened.byHost === true ? null : yield* continueAfterPrompt(scene, happened.prompt);
    return answer ?? (yield* remind(scene));
  }
  if (happened.kind === 'session-started') return yield* announce(scene);
  if (isSessionEvent(happened)) return answerWith(NO_LOOP);
  const answer = yield* answerTurn(scene, happened);
  const isSilent = answer.kind === 'words' && !answer.words.sendsBack && answer.words.notice === undefined;
  return isSilent ? yield* offer(scene, OFFERED_AT_STOP, answer) : answer;
}

/** At a stop the reply mentions the broken file; here nobody else would report it. */
function* showToUser(scene: Scene): Steps<string | null> {
  const { kind } = scene.event.event;
  const isHere = kind === 'session-started' || kind === 'prompt-submitted';
  return joinNotices(yield* showInSession(scene), ...(isHere ? yield* brokenLines(scene) : []));
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

/** What the user of this session has not seen: how its loop paused or ended, or that their answer will reach it. */
function* showInSession(scene: Scene): Steps<string | null> {
  const mine = yield* ownLoop(scene);
  if (mine.own === undefined) return yield* movedAwayNotice(mine, scene.event.session, scene.project);
  const unseen = yield* unseenOutcomeNotice(mine);
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

function* continueAfterPrompt(scene: Scene, prompt: string): Steps<DialectAnswer | null> {
  const mine = yield* ownLoop(scene);
  const file = mine.own?.spec.dialect?.file ?? '';
  const continued = yield* continueByUser(mine, prompt, liveFile(scene.request, scene.ports, scene.project, file));
  return continued === null ? null : { kind: 'context', at: 'UserPromptSubmit', ...continued, delayMs: 0 };
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

/** The timeout is the one the loop was started with; one that is given now applies from now on. Before its first stop a file has no loop. */
function* answerTool({ event, request, ports, project, files }: Scene): Steps<DialectAnswer> {
  const { timing } = request.extras;
  for (const file of files) {
    const place = placeOf({ event, request, ports, project }, file);
    const answer = yield* step(() => ports.run(handleToolInFile(place, event.report, timing?.iterationTimeoutMs)));
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
  return notice === undefined ? yield* offer(scene, OFFERED_AT_PROMPT) : answerWith({ ...NO_LOOP, notice });
}

/** Tells a new session about the open loop in its project. Nobody waits here as at a stop, so leftovers of writes are removed too. */
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

/** Ends the loop if its document ends it with the session; otherwise the next session that stops may take it. */
function* endSession(scene: Scene, switches: boolean): Steps<DialectAnswer> {
  const { event, request, ports, project } = scene;
  const { name } = request.dialect;
  const own = yield* ownFile(event, project, request, ports);
  const ends = isDialectName(name) && DIALECTS[name].endsWithSession === true && !switches;
  if (!ends) {
    if (own !== undefined) yield* step(() => ports.run(leaveSession(placeOf(scene, own))));
    return answerWith(NO_LOOP);
  }
  const named = stateFilesOf(request.dialect, event.session.id, () => []);
  for (const file of new Set([...(own === undefined ? [] : [own]), ...named]))
    yield* step(() => ports.run(endWithSession(placeOf(scene, file), named.includes(file))));
  return answerWith(NO_LOOP);
}

function* returnTo(scene: Scene): Steps<void> {
  const { event, request, ports, project, extras } = scene;
  extras.returned?.(event.session);
  const own = yield* ownFile(event, project, request, ports);
  if (own !== undefined) yield* step(() => ports.run(returnSession(placeOf(scene, own))));
}

const OFFERED_AT_START: readonly FileOffer['kind'][] = ['free', 'silent', 'driven', 'rewritten', 'named'];
/** Without `driven`: it is enough to show once per session that another session is at work. */
const OFFERED_AT_PROMPT: readonly FileOffer['kind'][] = ['free', 'silent', 'rewritten', 'named'];
/** A stop takes a file that is free. */
const OFFERED_AT_STOP: readonly FileOffer['kind'][] = ['rewritten'];

/** Why the first file that belongs to another session does nothing here, shown to the user. */
function* offer(
  scene: Scene,
  kinds: readonly FileOffer['kind'][],
  otherwise: DialectAnswer = answerWith(NO_LOOP),
): Steps<DialectAnswer> {
  const { event, ports, files } = scene;
  for (const file of files) {
    const found = yield* step(() => ports.run(offerOfFile(placeOf(scene, file))));
    if (found !== null && kinds.includes(found.kind)) return withNotice(otherwise, offerNotice(found, event));
  }
  return otherwise;
}

function offerNotice(offered: FileOffer, { session }: OurEvent): string {
  return `tireless: ${fileOfferLine(offered, session.id)}`;
}
