import path from 'node:path';
import type { Event } from '../../core/event.ts';
import type { CheckSpec, Limits, SessionRef, Timing } from '../../core/loop.ts';
import { ralphWiggumIn } from '../../dialects/ralph-wiggum/dialect.ts';
import type { DialectHandled, DialectPlace, Extras } from '../../engine/dialect-loop.ts';
import { answerOf, handleDialectEvent } from '../../engine/dialect-loop.ts';
import { pickFile } from '../../engine/pick-file.ts';
import type { TurnReport } from '../../engine/ports.ts';
import { filesOfFolder } from '../../system/folder.ts';
import type { EmbeddedEngineOptions } from '../embedded-engine.ts';
import { openEmbeddedEngine, stopEvent } from '../embedded-engine.ts';
import { answersFor, approvalDue, waitingFor } from './approvals.ts';
import { failureOf } from './failure.ts';
import { moveToHistory } from './history.ts';
import { withJournalRecords } from './journal-records.ts';
import type { VaultSession } from './vault-session.ts';
import { placeOf, readFileLoop } from './vault-session.ts';
import { writeReview } from './requests.ts';
import type { VaultFolders } from './vault.ts';
import { findVault } from './vault.ts';
import { watchProbe } from './watch-probe.ts';

/** What the host tells the hook. `error`: the turn did not end but failed. */
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

/** The same from a host that says more: who stopped, and the turn as the engine knows it. `null` = no session is named. */
export type HostTurn = { readonly session: SessionRef | null; readonly event: Event; readonly report: TurnReport };

export type StopHookOptions = EmbeddedEngineOptions & {
  /** Where to look for the vault, and upwards from there; the process's own directory otherwise. */
  readonly cwd?: string;
  readonly folders?: VaultFolders;
  /** Whose sessions a context names: ids of different hosts are different sessions. `claude-code` by default. */
  readonly host?: string;
  /** How long one call may wait for an approval, and how often it looks. */
  readonly approvalWaitMs?: number;
  readonly pollMs?: number;
  /** In seconds, instead of what the state files say. */
  readonly timeout?: number;
  readonly pauseBetweenIterations?: number;
  /** Beside the document: a loop then completes only when they passed too. They are looked at by `probe`. */
  readonly checks?: readonly CheckSpec[];
  readonly protect?: readonly string[];
  readonly limits?: Partial<Limits>;
  readonly timing?: Partial<Timing>;
  /** The longest wait before the prompt is given back, for hosts that end a hook after some time. No limit by default. */
  readonly delayMaxMs?: number;
  /** For tests, and for hosts with timers of their own. */
  readonly wait?: (ms: number) => Promise<void>;
};

/** Below the 60 s that hosts give a hook by default. */
const APPROVAL_WAIT_MS = 30_000;
const POLL_MS = 1000;

/** The document's `stop.js`. Never rejects: what goes wrong lets the agent stop, and `reason` tells the user. */
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
  return async (turn) => {
    try {
      return await answerStop(options, turn);
    } catch (error) {
      const what = error instanceof Error ? error.message : String(error);
      return { allowExit: true, reason: `The loop cannot go on: ${what}` };
    }
  };
}

async function answerStop(options: StopHookOptions, turn: HostTurn): Promise<StopReply> {
  const vault = findVault(options.cwd ?? process.cwd(), options.folders ?? {});
  if (vault === undefined) return { allowExit: true };
  const engine = openEmbeddedEngine({ ...options, probe: watchProbe(options.probe) });
  try {
    const dialect = withJournalRecords(ralphWiggumIn(vault.folders.stateFolder), engine);
    // A host that names no session has one per state folder.
    const session = turn.session ?? {
      host: 'ralph-wiggum',
      id: path.join(vault.project, vault.folders.stateFolder),
    };
    const vaultSession: VaultSession = { engine, vault, dialect, session };
    const list = (folder: string): string[] => filesOfFolder(path.join(vault.project, folder)).map((file) => file.name);
    const all = dialect.filesFor({ session: session.id, list });
    const files = all.filter((file) => moveToHistory(engine, vault, placeOf(vaultSession, file).live) === undefined);
    const chosen = engine.run(
      pickFile({
        dialect: dialect.name,
        project: vault.project,
        files,
        session,
        placeOf: (file) => placeOf(vaultSession, file),
      }),
    );
    if (chosen.kind === 'none') return { allowExit: true };
    if (chosen.kind === 'broken') {
      return { allowExit: true, reason: `The loop state ${chosen.file} cannot be read: ${chosen.why}` };
    }
    return await answerFor({ vaultSession, options, place: chosen.place }, turn);
  } finally {
    engine.close();
  }
}

type Call = { readonly vaultSession: VaultSession; readonly options: StopHookOptions; readonly place: DialectPlace };

async function answerFor(call: Call, turn: HostTurn): Promise<StopReply> {
  const { vaultSession, place } = call;
  const fileLoop = readFileLoop(vaultSession, place);
  // A paused loop obeys its file too: one that is gone, says that it ended, or cannot be read is no loop to wait for.
  const isWaiting = fileLoop.loaded?.state.status === 'paused' && fileLoop.saysOf === 'open';
  const first = isWaiting ? undefined : postEvent(call, turn.event, reportOf(vaultSession, call, turn));
  if (first !== undefined && first.decision.kind !== 'pause') return await replyTo(call, first, turn.report);
  const resumed = await awaitAnswer(call);
  if (resumed !== undefined) return await replyTo(call, resumed, turn.report);
  return { allowExit: true, reason: waitingFor(vaultSession, readFileLoop(vaultSession, place)) };
}

function postEvent({ vaultSession, options, place }: Call, event: Event, report: TurnReport = {}): DialectHandled {
  return vaultSession.engine.run(handleDialectEvent(place, event, report, extrasOf(options)));
}

/** Within the time of one call; a later call goes on waiting. `undefined` = not answered yet. */
async function awaitAnswer(call: Call): Promise<DialectHandled | undefined> {
  const { vaultSession, options, place } = call;
  const pollMs = options.pollMs ?? POLL_MS;
  const looks = Math.floor((options.approvalWaitMs ?? APPROVAL_WAIT_MS) / pollMs);
  for (let look = 0; ; look++) {
    const fileLoop = readFileLoop(vaultSession, place);
    const events = fileLoop.saysOf === 'ended' ? [stopEvent('')] : answersFor(vaultSession, fileLoop);
    const handled = events.map((event) => postEvent(call, event)).at(-1);
    if (handled !== undefined && handled.decision.kind !== 'abstain') return handled;
    if (look >= looks) return undefined;
    await (options.wait ?? sleep)(pollMs);
  }
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
    return { allowExit: false, injectPrompt: words.text, message: words.reason };
  }
  const { loopId } = readFileLoop(vaultSession, place);
  const kept = moveToHistory(vaultSession.engine, vaultSession.vault, place.live) ?? place.file;
  if (decision.kind === 'halt' && decision.guard === 'agent-failed' && loaded !== undefined) {
    const detail = decision.detail ?? 'no details';
    const review = writeReview(vaultSession.vault, {
      loopId,
      detail,
      said: report.message ?? '',
      state: loaded.state,
      kept,
    });
    return { allowExit: true, reason: `${words.reason.split('\n')[0] ?? ''} (a human should look at ${review})` };
  }
  return { allowExit: true, ...(words.reason === '' ? {} : { reason: words.reason }) };
}

function turnOf({ error }: StopContext): Event {
  return error === undefined || error === null
    ? stopEvent('')
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

function extrasOf(options: StopHookOptions): Extras {
  const { checks, protect, limits, timeout, timing, pauseBetweenIterations: pause } = options;
  return {
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
