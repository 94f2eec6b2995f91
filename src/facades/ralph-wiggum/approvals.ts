import type { Event } from '../../core/event.ts';
import type { ApprovalDue } from '../../core/evidence.ts';
import type { Entry } from '../../core/journal.ts';
import type { Pause, State } from '../../core/loop.ts';
import { isHandedOver } from '../../core/handed-over.ts';
import { pauseWords } from '../../dialects/pause-words.ts';
import type { OpenRequest } from '../../engine/dialect-extras.ts';
import type { Handled, TurnReport } from '../../engine/ports.ts';
import type { RequestingLoop, RequestAnswer } from './requests.ts';
import {
  answerTo,
  FILE_CLOCK_MS,
  hasAnswerSince,
  isOursPending,
  isPending,
  newRefusals,
  openRequests,
  ownRequest,
  requiredAction,
  writeRequest,
} from './requests.ts';
import type { Vault } from './vault.ts';
import type { FileLoop, VaultSession } from './vault-session.ts';

/** How many are named in the journal; the others are only in the folder. */
const OTHERS_MAX = 20;

/** Are there requests that no person has answered yet? If so, the current stop pauses the loop. */
export function approvalDue(vaultSession: VaultSession, fileLoop: FileLoop): ApprovalDue | undefined {
  const { vault } = vaultSession;
  const { loopId, file, loaded } = fileLoop;
  const asker = askerOf(vaultSession, fileLoop);
  const asked = openRequests(vault, asker);
  if (asked.length > 0) return dueFor(vault, asked);
  // An answer that is newer than the flag answers it.
  if (!isAsking(fileLoop) || hasAnswerSince(vault, asker, fileLoop.writtenMs ?? Infinity)) return undefined;
  const request = ownRequest(loopId, (loaded?.state.counted ?? file?.current_iteration ?? 0) + 1);
  return { request, question: `the loop asks for approval: ${requiredAction(vault, [request])}` };
}

function dueFor(vault: Vault, [request = '', ...others]: readonly string[]): ApprovalDue {
  const question = requiredAction(vault, [request, ...others]);
  return { request, question, ...(others.length === 0 ? {} : { others: others.slice(0, OTHERS_MAX) }) };
}

/** Someone else set the flag: the agent, a tool of the vault, or a person. */
function isAsking({ edited, file }: FileLoop): boolean {
  return edited && isPausedIn(file);
}

function askerOf({ engine }: VaultSession, fileLoop: FileLoop): RequestingLoop {
  const { loopId, file, loaded } = fileLoop;
  let read: readonly Entry[] | undefined;
  // The journal is read only if there is a file that may be a request.
  const entries = (): readonly Entry[] =>
    (read ??= loaded === undefined ? [] : engine.store.entries(loaded.state.loop));
  const startedAt = loaded?.state.startedAt;
  return {
    loopId,
    task: file?.watch_file ?? null,
    unnamedSinceMs: isAsking(fileLoop) ? beganMs(fileLoop) : null,
    beganMs: beganMs(fileLoop) ?? Infinity,
    sinceMs: refusalsSinceMs(fileLoop),
    answeredMs: (request) => answeredMs(entries(), request),
    isKnown: (request) =>
      entries().some(
        ({ decision }) =>
          decision.kind === 'pause' && (decision.request === request || decision.others?.includes(request) === true),
      ),
    wroteAt: (at) => startedAt === undefined || at < startedAt || entries().some((entry) => entry.at === at),
  };
}

/** The first stop considers everything since the previous loop in the same file ended; later stops, everything since this loop started. */
function refusalsSinceMs(fileLoop: FileLoop): number {
  const { loaded, previousEndMs, writtenMs } = fileLoop;
  if (loaded !== undefined && loaded.state.counted > 0) return Date.parse(loaded.state.startedAt) - FILE_CLOCK_MS;
  return Math.max(beganMs(fileLoop) ?? writtenMs ?? Infinity, previousEndMs ?? -Infinity);
}

/**
 * Records refusals in the journal of a loop that does not have them yet; the agent reads them in its next prompt. A refusal that ends the
 * pause is left to `answersFor`. `post`: for a loop that does not exist yet.
 */
export function noteRefusals(
  vaultSession: VaultSession,
  fileLoop: FileLoop,
  post: (event: Event, report: TurnReport) => void,
): void {
  const { loaded, loopId } = fileLoop;
  const pause = loaded?.state.pause ?? null;
  const awaited = loaded === undefined || pause === null ? null : requestFor(loopId, loaded.state, pause);
  for (const { request, reason } of newRefusals(vaultSession.vault, askerOf(vaultSession, fileLoop))) {
    if (request !== awaited)
      post({ kind: 'approval-refused', request, reason }, { approvalDue: { request, question: request } });
  }
}

/** `null` = unknown. Files are stamped by a coarser clock than ours, and documents write whole seconds. */
function beganMs({ file, loaded }: FileLoop): number | null {
  const begun = [file?.started_at, loaded?.state.startedAt].map((at) => Date.parse(at ?? '')).filter(Number.isFinite);
  return begun.length === 0 ? null : Math.floor(Math.min(...begun) / 1000) * 1000;
}

/** When this request was last answered, or the loop was continued in another way after it had waited for it; `null` = never. */
function answeredMs(entries: readonly Entry[], request: string): number | null {
  let isAsked = false;
  let answered: number | null = null;
  for (const { event, decision, at } of entries) {
    const isAnswer = event.kind === 'approval-given' || event.kind === 'approval-refused';
    if (isAnswer && event.request === request) answered = Date.parse(at);
    if (decision.kind === 'pause') isAsked = decision.request === request;
    else if (isAsked && decision.kind !== 'record') {
      answered = Date.parse(at);
      isAsked = false;
    }
  }
  return answered;
}

/** An answer, and the report that belongs to it. */
export type AnswerReport = { readonly event: Event; readonly report: TurnReport };

/**
 * The events for a paused loop; empty = there is no answer yet. A pause without a request gets one, so that there is always a file to
 * move. While other requests are open, an answer leaves the loop paused for those.
 */
export function answersFor(vaultSession: VaultSession, fileLoop: FileLoop): readonly AnswerReport[] {
  const { state } = fileLoop.loaded ?? {};
  const pause = state?.pause ?? null;
  if (state === undefined || pause === null) return [];
  if (pause.resumeAt !== undefined) return [{ event: { kind: 'wait-ended' }, report: {} }];
  const { vault } = vaultSession;
  // Removing the flag answers all open requests.
  if (fileLoop.edited && isFlagRemoved(fileLoop.file))
    return [...approvedAll(vaultSession, fileLoop), ...approved(pause)];
  const { request, answer, withdrawn } = awaitedRequest(vaultSession, fileLoop, state, pause);
  const others = othersOpen(vaultSession, fileLoop);
  const next = others.length === 0 ? undefined : dueFor(vault, others);
  // Only an answer to a request can leave the loop paused for another one.
  if (next !== undefined && pause.request === undefined && answer.kind !== 'gone') return [];
  switch (answer.kind) {
    case 'approved':
      return approved(pause, next);
    case 'rejected':
      return refused(pause, answer.reason, next);
    case 'pending':
      return [];
    case 'gone': {
      const question =
        withdrawn === null
          ? (pause.question ?? `The loop is paused: ${pauseWords(pause)}. May it continue?`)
          : `${withdrawnText(withdrawn)}. May the loop continue?`;
      writeRequest(vaultSession.vault, request, { loopId: fileLoop.loopId, question, state });
      return [];
    }
  }
}

type Awaited = {
  /** The file that a person moves. */
  readonly request: string;
  readonly answer: RequestAnswer;
  /** The request that the loop waited for is in no folder any more, and this one takes its place; `null` = it still exists. */
  readonly withdrawn: string | null;
};

/** A request that someone withdrew is not written again in their name: the loop asks in its own name. */
function awaitedRequest(vaultSession: VaultSession, fileLoop: FileLoop, state: State, pause: Pause): Awaited {
  const look = (name: string): RequestAnswer =>
    answerTo(vaultSession.vault, name, lookFor(vaultSession, fileLoop, name));
  const request = requestFor(fileLoop.loopId, state, pause);
  const own = ownRequest(fileLoop.loopId, state.counted);
  const answer = look(request);
  if (answer.kind !== 'gone' || request === own) return { request, answer, withdrawn: null };
  return { request: own, answer: look(own), withdrawn: request };
}

function withdrawnText(request: string): string {
  return `${request} is gone, and nobody answered it`;
}

/** The open requests other than the one the loop waits for. */
function othersOpen(vaultSession: VaultSession, fileLoop: FileLoop): readonly string[] {
  const { state } = fileLoop.loaded ?? {};
  const pause = state?.pause ?? null;
  const awaited = state === undefined || pause === null ? null : requestFor(fileLoop.loopId, state, pause);
  return openRequests(vaultSession.vault, askerOf(vaultSession, fileLoop)).filter((request) => request !== awaited);
}

function approvedAll(vaultSession: VaultSession, fileLoop: FileLoop): readonly AnswerReport[] {
  return othersOpen(vaultSession, { ...fileLoop, edited: false }).map((request) => ({
    event: { kind: 'approval-given', request },
    report: { approvalDue: { request, question: request } },
  }));
}

/** The request in the folder while the loop is paused: the one it waits for, one that someone made, or the loop's own about the pause. */
export function openRequest(vaultSession: VaultSession, given: FileLoop): OpenRequest | null {
  const fileLoop = { ...given, edited: false };
  const { state } = fileLoop.loaded ?? {};
  if (state?.pause?.cause === 'approval' && state.pause.request !== undefined) {
    const others = othersOpen(vaultSession, fileLoop);
    const next = others.length === 0 ? {} : { next: dueFor(vaultSession.vault, others) };
    return { name: state.pause.request, isOfPause: false, ...next };
  }
  if (state?.pause?.cause !== 'user') return null;
  const due = approvalDue(vaultSession, fileLoop);
  if (due !== undefined) return { name: due.request, isOfPause: false };
  const name = requestFor(fileLoop.loopId, state, state.pause);
  return isPending(vaultSession.vault, name) ? { name, isOfPause: true } : null;
}

/** The person's answer in the folders, before it has reached the loop; `null` = none yet. Writes nothing. */
export function answerWords(vaultSession: VaultSession, fileLoop: FileLoop): string | null {
  const { state } = fileLoop.loaded ?? {};
  const pause = state?.pause ?? null;
  if (state === undefined || pause === null || pause.resumeAt !== undefined) return null;
  const {
    request,
    answer: { kind },
  } = awaitedRequest(vaultSession, fileLoop, state, pause);
  if (kind !== 'approved' && kind !== 'rejected') return null;
  const others = othersOpen(vaultSession, fileLoop);
  if (others.length > 0) {
    const said = kind === 'approved' ? 'approved' : 'refused';
    return `${request} was ${said}; the loop still waits: ${requiredAction(vaultSession.vault, others)}`;
  }
  const said = kind === 'approved' ? 'approved; the loop continues' : 'refused; the agent reads why';
  return `${request} was ${said} at the next stop of the agent: write to it in its session`;
}

function lookFor(vaultSession: VaultSession, fileLoop: FileLoop, request: string): Parameters<typeof answerTo>[2] {
  const { engine, vault } = vaultSession;
  const { loaded } = fileLoop;
  const entries = loaded === undefined ? [] : engine.store.entries(loaded.state.loop);
  const isOurs = isOursPending(vault, request, askerOf(vaultSession, fileLoop));
  return { isOurs, beganMs: beganMs(fileLoop) ?? Infinity, askedMs: pausedMs(entries) };
}

/** When the loop began waiting. */
function pausedMs(entries: readonly Entry[]): number {
  return Date.parse(entries.findLast(({ decision }) => decision.kind === 'pause')?.at ?? '') || 0;
}

/** What the user sees while the loop waits. */
export function waitingFor(vaultSession: VaultSession, fileLoop: FileLoop, isWatched: boolean): string {
  const { loaded } = fileLoop;
  const pause = loaded?.state.pause ?? null;
  if (loaded === undefined || pause === null) return 'Waiting for approval';
  const { request, withdrawn } = awaitedRequest(vaultSession, fileLoop, loaded.state, pause);
  const others = othersOpen(vaultSession, fileLoop);
  const isOpen = isPending(vaultSession.vault, request) || others.length === 0;
  const what = requiredAction(vaultSession.vault, isOpen ? [request, ...others] : others);
  if (isHandedOver(loaded.state)) return `Paused: ${pauseWords(pause)}. Write to the agent to continue, or ${what}`;
  if (pause.cause === 'user')
    return `Paused: you paused it; resume with: tireless resume ${loaded.state.loop}, or ${what}`;
  if (pause.resumeAt !== undefined)
    return `Waiting until ${new Date(pause.resumeAt).toISOString()}: the usage limit is reached`;
  const { loop } = loaded.state;
  const gone = withdrawn === null ? '' : `${withdrawnText(withdrawn)}; `;
  const then = `Then write to the agent here to continue${isWatched ? ', or close this session: the loop continues without it' : ''}`;
  return `Waiting for approval: ${gone}${what} (or: tireless approve ${loop}, tireless reject ${loop}). ${then}`;
}

/** Only a request from the folder is named by its file; other names come from the core. */
function requestFor(loopId: string, state: State, pause: Pause): string {
  return pause.cause === 'approval' && pause.request !== undefined ? pause.request : ownRequest(loopId, state.counted);
}

function approved({ request }: Pause, next?: ApprovalDue): readonly AnswerReport[] {
  if (request === undefined) return [{ event: { kind: 'resume-requested' }, report: {} }];
  return [{ event: { kind: 'approval-given', request }, report: reportOf(next) }];
}

function refused({ request }: Pause, reason: string, next?: ApprovalDue): readonly AnswerReport[] {
  if (request !== undefined) return [{ event: { kind: 'approval-refused', request, reason }, report: reportOf(next) }];
  return [
    { event: { kind: 'steering-given', text: `The user rejected: ${reason}` }, report: {} },
    { event: { kind: 'resume-requested' }, report: {} },
  ];
}

function reportOf(next: ApprovalDue | undefined): TurnReport {
  return next === undefined ? {} : { approvalDue: next };
}

/** Is the pause over? An answer may leave the loop paused for another request. */
export function isAnswered({ decision: { kind } }: Handled): boolean {
  return kind !== 'abstain' && kind !== 'pause' && kind !== 'record';
}

/** Did the person refuse, without approving anything else that was requested in this pause? */
export function isRefusal({ engine }: VaultSession, { loaded }: FileLoop, answers: readonly AnswerReport[]): boolean {
  if (!answers.some(({ event: { kind } }) => kind === 'approval-refused' || kind === 'steering-given')) return false;
  const entries = loaded === undefined ? [] : engine.store.entries(loaded.state.loop);
  const turn = entries.findLastIndex(({ event }) => event.kind === 'turn-ended');
  return !entries.slice(turn + 1).some(({ event }) => event.kind === 'approval-given');
}

function isPausedIn(file: FileLoop['file']): boolean {
  return file?.paused_for_approval === true || file?.status === 'paused_awaiting_approval';
}

/** A paused file has both fields: changing either of them continues the loop. */
function isFlagRemoved(file: FileLoop['file']): boolean {
  if (file === undefined) return false;
  return file.paused_for_approval !== true || file.status !== 'paused_awaiting_approval';
}
