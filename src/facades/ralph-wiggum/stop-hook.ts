import path from 'node:path';
import type { Event } from '../../core/event.ts';
import { turnEnded } from '../../core/event.ts';
import type { CheckSpec, Limit, Limits, SessionRef, Timing } from '../../core/loop.ts';
import { isHandedOver, isUsersTurn } from '../../core/handed-over.ts';
import { setBackText } from '../../dialects/set-back.ts';
import type { DialectHandled } from '../../engine/dialect-loop.ts';
import type { DialectPlace } from '../../engine/loop-of-file.ts';
import type { UserAdditions } from '../../engine/start-from-file.ts';
import { answerOf, handleDialectEvent } from '../../engine/dialect-loop.ts';
import { failOpenAsync } from '../../engine/fail-open.ts';
import type { Sightings } from '../../engine/file-owner.ts';
import { handleEvent } from '../../engine/handle-event.ts';
import { whyUnreadable } from '../../engine/live-file.ts';
import type { BrokenFile } from '../../engine/pick-file.ts';
import { BROKEN_SHOWN_MAX, brokenFiles, isDrivenElsewhere, pickFile } from '../../engine/pick-file.ts';
import type { Loaded, TurnReport } from '../../engine/ports.ts';
import { filesOfFolder } from '../../system/folder.ts';
import { isWorkerAlive } from '../../system/worker-identity.ts';
import type { EmbeddedEngine, EmbeddedEngineOptions } from '../embedded-engine.ts';
import { openEmbeddedEngine } from '../embedded-engine.ts';
import { answersFor, approvalDue, isAnswered, noteRefusals, waitingFor } from './approvals.ts';
import type { AwaitResult } from '../../engine/await-answer.ts';
import { awaitAnswer } from '../../engine/await-answer.ts';
import { failureOf, classifiedByWords } from './failure.ts';
import { lateEndNotices, moveToHistory } from './history.ts';
import { resumedElsewhere } from '../../engine/resumed-elsewhere.ts';
import type { FileLoop, VaultSession } from './vault-session.ts';
import { openVaultSession, placeOf, readFileLoop } from './vault-session.ts';
import { lastMessageOf, writeReview } from './requests.ts';
import type { VaultFolders } from './vault.ts';
import { findVault } from './vault.ts';
import { watchProbe } from './watch-probe.ts';
import type { Watching } from './watched-loop.ts';
import { endWatch } from './watched-loop.ts';

/** What the host passes to the hook. `error`: the turn failed instead of ending. */
export type StopContext = {
  readonly output?: string;
  readonly session_id?: string;
  readonly sessionId?: string;
  readonly error?: unknown;
};

export type StopReply = {
  readonly allowExit: boolean;
  readonly reason?: string;
  readonly injectPrompt?: string;
  readonly message?: string;
};

export type StopHook = (context?: StopContext | null) => Promise<StopReply>;

/** From a host that provides more: who stopped, and the turn in the engine's terms. `null` = no session is named. */
export type HostTurn = { readonly session: SessionRef | null; readonly event: Event; readonly report: TurnReport };

export type StopHookOptions = EmbeddedEngineOptions & {
  /** Where to look for the vault, and upwards from there; default: the process's working directory. */
  readonly cwd?: string;
  readonly folders?: VaultFolders;
  /** The host of the sessions that a context names: ids of different hosts are different sessions. Default: `claude-code`. */
  readonly host?: string;
  /** How long the call that pauses the loop may wait for an approval, at most the `timeout` of the file, and how often it looks. */
  readonly approvalWaitMs?: number;
  readonly pollMs?: number;
  /** In seconds; overrides the state files. */
  readonly timeout?: number;
  readonly pauseBetweenIterations?: number;
  /** Not in the document: a loop then completes only if these pass too. They are run by `probe`. */
  readonly checks?: readonly CheckSpec[];
  readonly protect?: readonly string[];
  readonly limits?: Partial<Limits>;
  readonly timing?: Partial<Timing>;
  /** How many turns all loops in the project's state files may take per day. */
  readonly dayTurnsMax?: Limit;
  /** The longest wait before the prompt is returned, for hosts that end a hook after some time. Default: no limit. */
  readonly delayMaxMs?: number;
  /** When another session was last seen at work, for hosts that know; a file whose session is gone can then be taken over. */
  readonly lastSeenMs?: Sightings['lastSeenMs'];
  /** Since when another session rests, because its turn was interrupted or failed; a file that is written after that is a new loop. */
  readonly restsSinceMs?: Sightings['restsSinceMs'];
  /** Who waits for an approval after the call. Default: nobody; the next stop sees it. */
  readonly watching?: Watching;
  /** Has the program that would read the reply exited? Then nobody would see an answer, which is left to `watching`. Default: unknown. */
  readonly isHostGone?: () => boolean;
  /** For tests, and for hosts with timers of their own. */
  readonly wait?: (ms: number) => Promise<void>;
};

/** Below the 60 s that hosts give a hook by default. */
const APPROVAL_WAIT_MS = 30_000;
const POLL_MS = 1000;
const LET_STOP: StopReply = { allowExit: true };

/** The document's `stop.js`. Never rejects: if something goes wrong the agent may stop, and `reason` tells the user why. */
export function createStopHook(options: StopHookOptions = {}): StopHook {
  const answer = createTurnHook(options);
  return async (given) => {
    const context = given ?? {};
    const { output } = context;
    return answer({
      session: sessionOf(context, options.host ?? 'claude-code'),
      event: turnOf(context),
      report: { message: typeof output === 'string' ? output : '' },
    });
  };
}

export function createTurnHook(options: StopHookOptions): (turn: HostTurn) => Promise<StopReply> {
  return async (turn) =>
    failOpenAsync(
      'everything',
      () => answerStop(options, turn),
      (why) => ({ allowExit: true, reason: `The loop cannot continue: ${why}` }),
    );
}

async function answerStop(options: StopHookOptions, turn: HostTurn): Promise<StopReply> {
  const vault = findVault(options.cwd ?? process.cwd(), options.folders ?? {});
  if (vault === undefined) return LET_STOP;
  const engine = openEmbeddedEngine({ ...options, probe: watchProbe(options.probe) });
  try {
    // If the host names no session, there is one per state folder.
    const session = turn.session ?? {
      host: 'ralph-wiggum',
      id: path.join(vault.project, vault.folders.stateFolder),
    };
    const vaultSession = { ...openVaultSession(engine, vault, session), seen: sightingsOf(engine, options) };
    const { dialect } = vaultSession;
    const list = (folder: string): string[] => filesOfFolder(path.join(vault.project, folder)).map((file) => file.name);
    const found = dialect.filesFor({ session: session.id, list });
    const moved = new Map(found.map((file) => [file, moveToHistory(engine, vault, placeOf(vaultSession, file).live)]));
    const files = found.filter((file) => moved.get(file) === undefined);
    const all = {
      dialect: dialect.name,
      project: vault.project,
      files,
      session,
      placeOf: (file: string) => placeOf(vaultSession, file),
    };
    const broken = engine.run(brokenFiles(all));
    // Each lost try means that another session got the file.
    for (let tries = 0; tries <= files.length; tries++) {
      const place = engine.run(pickFile(all));
      const reply = place === undefined ? LET_STOP : await answerFor({ vaultSession, options, place }, turn);
      if (reply !== 'taken')
        return withBroken(withLines(reply, lateEndNotices(vaultSession, [...moved.values()])), broken);
    }
    return withBroken(LET_STOP, broken);
  } finally {
    engine.close();
  }
}

/** Names every state file that cannot be read, for the user. */
function withBroken(reply: StopReply, broken: readonly BrokenFile[]): StopReply {
  if (broken.length === 0) return reply;
  const lines = broken
    .slice(0, BROKEN_SHOWN_MAX)
    .map(({ file, why }) => `The loop state ${file} cannot be read: ${why}. Correct it or delete it.`);
  const more = broken.length - lines.length;
  const rest = more === 0 ? [] : [`${more} more cannot be read: see "tireless status".`];
  return withLines(reply, [...lines, ...rest]);
}

function withLines(reply: StopReply, lines: readonly string[]): StopReply {
  if (lines.length === 0) return reply;
  const key = reply.allowExit ? 'reason' : 'message';
  return { ...reply, [key]: [...(reply[key] === undefined ? [] : [reply[key]]), ...lines].join('\n') };
}

/** A session whose loop has a watcher is not gone, however long the answer takes. */
function sightingsOf(
  { store, effects }: EmbeddedEngine,
  { lastSeenMs, restsSinceMs }: Pick<StopHookOptions, 'lastSeenMs' | 'restsSinceMs'>,
): Sightings {
  const isWatched = (session: SessionRef): boolean => {
    const loop = store.loopOfSession(session);
    const watcher = loop === undefined ? undefined : store.load(loop)?.state.watcher;
    return watcher !== undefined && isWorkerAlive(watcher) !== false;
  };
  return {
    ...(lastSeenMs === undefined
      ? {}
      : { lastSeenMs: (session) => (isWatched(session) ? effects.readClock().wallMs : lastSeenMs(session)) }),
    ...(restsSinceMs === undefined
      ? {}
      : { restsSinceMs: (session) => (isWatched(session) ? null : restsSinceMs(session)) }),
  };
}

type Call = { readonly vaultSession: VaultSession; readonly options: StopHookOptions; readonly place: DialectPlace };

/** `taken`: another session got the file in the meantime. */
async function answerFor(call: Call, given: HostTurn): Promise<StopReply | 'taken'> {
  const { vaultSession, place } = call;
  const fileLoop = readFileLoop(vaultSession, place);
  const turn = unseenTurn(call, fileLoop, judgedTurn(given));
  if (isTaken(call, fileLoop.loaded)) return 'taken';
  endWatch(vaultSession.engine, fileLoop.loaded?.state, call.options.watching?.isOwnAgent);
  // A paused loop also obeys its file: if the file is gone, ended or unreadable, there is nothing to wait for.
  const isWaiting =
    fileLoop.loaded?.state.status === 'paused' && fileLoop.statusInFile === 'open' && !isWrittenByUser(fileLoop, turn);
  const first = isWaiting ? undefined : postTurn(call, fileLoop, turn);
  if (first?.decision.kind === 'abstain' && isTaken(call, first.loaded)) return 'taken';
  if (first !== undefined && first.decision.kind !== 'pause') return await replyTo(call, first, turn.report);
  // Only the stop that asks waits. Later stops check once: the user is talking to an agent that is paused.
  const resumed = takeAnswer(call);
  if (resumed !== undefined) return await replyTo(call, resumed, turn.report);
  const answer = await waitForAnswer(call, first === undefined ? 0 : waitMsOf(call));
  if (answer === 'over') return LET_STOP;
  if (answer === 'unreadable') return withBroken(LET_STOP, brokenHere(call));
  if (answer !== undefined) return await replyTo(call, answer, turn.report);
  const isWatched = call.options.watching !== undefined;
  return { allowExit: true, reason: waitingFor(vaultSession, readFileLoop(vaultSession, place), isWatched) };
}

function brokenHere({ vaultSession, place: { live, file } }: Call): readonly BrokenFile[] {
  const why = vaultSession.engine.run(whyUnreadable(live));
  return why === null ? [] : [{ file, why }];
}

/** The agent that a watcher started has no screen. */
function unseenTurn({ options }: Call, { loaded }: FileLoop, turn: HostTurn): HostTurn {
  const { watcher } = loaded?.state ?? {};
  if (watcher === undefined || options.watching?.isOwnAgent(watcher) !== true) return turn;
  return { ...turn, report: { ...turn.report, unseen: true } };
}

function isTaken({ vaultSession: { engine }, place }: Call, loaded: Loaded | undefined): boolean {
  return loaded !== undefined && engine.run(isDrivenElsewhere(place, loaded));
}

/** A refusal that arrived while the agent worked is part of the reply to its turn. */
function postTurn(call: Call, fileLoop: FileLoop, turn: HostTurn): DialectHandled {
  // This comes first: recording a refusal begins the loop, and then nobody would see that its file asks for approval.
  const report = reportOf(call.vaultSession, call, turn);
  if (fileLoop.statusInFile === 'open') recordRefusals(call, fileLoop);
  return postEvent(call, turn.event, report);
}

/** Only the journal is used: an edit of a paused loop's file is the answer it waits for. */
function recordRefusals(call: Call, fileLoop: FileLoop): void {
  const { engine } = call.vaultSession;
  const { loop } = fileLoop.loaded?.state ?? {};
  noteRefusals(call.vaultSession, fileLoop, (event, report) => {
    if (loop === undefined) postEvent(call, event, report);
    else engine.run(handleEvent(loop, event, report));
  });
}

function postEvent({ vaultSession, options, place }: Call, event: Event, report: TurnReport = {}): DialectHandled {
  return vaultSession.engine.run(handleDialectEvent(place, event, report, extrasOf(options)));
}

/** Before the wait, because a host may end this hook at any time. The watcher acts only after this process has ended. */
function beginWatch({ vaultSession, options, place }: Call): void {
  const { loaded } = readFileLoop(vaultSession, place);
  const { watching } = options;
  if (watching === undefined || loaded?.state.status !== 'paused' || loaded.state.pause?.resumeAt !== undefined) return;
  // The watcher that started this agent keeps waiting.
  if (loaded.state.watcher !== undefined) return;
  const { vault, session } = vaultSession;
  const { watchMs } = watching;
  watching.begin({
    loop: loaded.state.loop,
    vault,
    file: place.file,
    session,
    extras: extrasOf(options),
    watchMs,
  });
}

/** The user wrote to the agent of a loop that waits for exactly that: its turn is judged again. */
function isWrittenByUser({ loaded }: FileLoop, { event, report }: HostTurn): boolean {
  return loaded !== undefined && isUsersTurn(loaded.state, event, report.sentBack);
}

function waitMsOf({ vaultSession, options, place }: Call): number {
  const { loaded } = readFileLoop(vaultSession, place);
  // The loop continues when the user writes to the agent, which nobody can do while the hook runs.
  if (loaded !== undefined && isHandedOver(loaded.state)) return 0;
  const timeoutMs = loaded?.state.limits.durationMaxMs ?? Infinity;
  const waitMs = options.approvalWaitMs ?? APPROVAL_WAIT_MS;
  return timeoutMs === 'unlimited' ? waitMs : Math.min(waitMs, timeoutMs);
}

/** `undefined` = not answered yet. */
function takeAnswer(call: Call): DialectHandled | undefined {
  const fileLoop = readFileLoop(call.vaultSession, call.place);
  if (fileLoop.loaded?.state.status === 'running') return resumedElsewhere(fileLoop.loaded);
  if (fileLoop.statusInFile !== 'ended') recordRefusals(call, fileLoop);
  const answers =
    fileLoop.statusInFile === 'ended' ? [{ event: turnEnded(), report: {} }] : answersFor(call.vaultSession, fileLoop);
  const handled = answers.map(({ event, report }) => postEvent(call, event, report)).at(-1);
  return handled === undefined || !isAnswered(handled) ? undefined : handled;
}

async function waitForAnswer(call: Call, waitMs: number): Promise<AwaitResult> {
  const { vaultSession, options, place } = call;
  const asked = readFileLoop(vaultSession, place).loaded;
  if (asked === undefined) return 'over';
  beginWatch(call);
  const { pollMs = POLL_MS, wait = sleep, isHostGone = () => false } = options;
  const { engine, session } = vaultSession;
  const result = await awaitAnswer({
    session,
    load: () => {
      // Otherwise an open handle would still show a journal that was removed.
      engine.close();
      return engine.store.load(asked.state.loop);
    },
    isUnreadable: () => readFileLoop(vaultSession, place).statusInFile === 'nothing',
    looksMax: Math.floor(waitMs / pollMs),
    pauseBeforeNextLook: () => wait(pollMs),
    isHostGone,
    take: () => takeAnswer(call),
  });
  if (typeof result === 'object')
    endWatch(vaultSession.engine, readFileLoop(vaultSession, place).loaded?.state, options.watching?.isOwnAgent);
  return result;
}

async function replyTo(
  { vaultSession, options, place }: Call,
  handled: DialectHandled,
  report: TurnReport,
): Promise<StopReply> {
  const { decision, loaded } = handled;
  const words = vaultSession.dialect.wordsFor(answerOf(handled));
  if (decision.kind === 'continue') {
    const delayMs = Math.min(decision.delayMs, options.delayMaxMs ?? decision.delayMs);
    if (delayMs > 0) await (options.wait ?? sleep)(delayMs);
    return {
      allowExit: false,
      injectPrompt: words.text,
      message: [words.reason, setBackText(handled) ?? []].flat().join('; '),
    };
  }
  const { loopId } = readFileLoop(vaultSession, place);
  const kept = moveToHistory(vaultSession.engine, vaultSession.vault, place.live)?.kept ?? place.file;
  if (decision.kind === 'halt' && decision.guard === 'agent-failed' && loaded !== undefined) {
    const detail = decision.detail ?? 'no details';
    const review = writeReview(vaultSession.vault, {
      loopId,
      detail,
      lastMessage: lastMessageOf(report, loaded.state.lastMessage),
      state: loaded.state,
      kept,
    });
    return { allowExit: true, reason: `${words.reason.split('\n')[0] ?? ''} (a human should look at ${review})` };
  }
  // An unreadable file has already been reported by its name.
  const isReported = words.reason === '' || handled.reading?.kind === 'invalid';
  return { allowExit: true, ...(isReported ? {} : { reason: words.reason }) };
}

/** Hosts know which failures are temporary; the document adds those that end a loop at once. */
function judgedTurn(turn: HostTurn): HostTurn {
  const { event } = turn;
  return event.kind === 'turn-failed'
    ? { ...turn, event: { ...event, failure: { ...classifiedByWords(event.failure), counts: true } } }
    : turn;
}

function turnOf({ error }: StopContext): Event {
  return error === undefined || error === null
    ? turnEnded()
    : { kind: 'turn-failed', iteration: null, worker: null, failure: failureOf(error) };
}

function reportOf(vaultSession: VaultSession, { place }: Call, { report }: HostTurn): TurnReport {
  const due = approvalDue(vaultSession, readFileLoop(vaultSession, place));
  return { ...report, ...(due === undefined ? {} : { approvalDue: due }) };
}

function sessionOf({ session_id: id, sessionId }: StopContext, host: string): SessionRef | null {
  const named = id ?? sessionId;
  return typeof named === 'string' && named !== '' ? { host, id: named } : null;
}

function extrasOf(options: StopHookOptions): UserAdditions {
  const { checks, protect, limits, timeout, timing, dayTurnsMax, pauseBetweenIterations: pause } = options;
  return {
    ...(dayTurnsMax === undefined ? {} : { dayTurnsMax }),
    ...(checks === undefined ? {} : { checks }),
    ...(protect === undefined ? {} : { protect }),
    timing: { ...timing, ...(pause === undefined ? {} : { pauseBetweenMs: pause * 1000 }) },
    limits: { ...(timeout === undefined ? {} : { durationMaxMs: timeout * 1000 }), ...limits },
  };
}

async function sleep(ms: number): Promise<void> {
  await new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
