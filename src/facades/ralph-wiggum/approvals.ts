import type { Event } from '../../core/event.ts';
import type { ApprovalDue } from '../../core/evidence.ts';
import type { Entry } from '../../core/journal.ts';
import type { Pause, State } from '../../core/loop.ts';
import { isHandedOver } from '../../core/handed-over.ts';
import { pauseWords } from '../../dialects/pause-words.ts';
import type { OpenRequest } from '../../engine/dialect-extras.ts';
import type { VaultSession, FileLoop } from './vault-session.ts';
import { answerTo, isPending, ownRequest, pendingRequest, whatToDo, writeRequest } from './requests.ts';

/** Is there a request that a human has not answered yet? Then the stop at hand pauses the loop. */
export function approvalDue({ vault, engine }: VaultSession, fileLoop: FileLoop): ApprovalDue | undefined {
  const { loopId, file, loaded, edited } = fileLoop;
  // Someone else set the flag: the agent, a tool of the vault, a human.
  const isAsking = edited && isPausedIn(file);
  const asked = pendingRequest(vault, {
    loopId,
    task: file?.watch_file ?? null,
    unnamedSinceMs: isAsking ? beganMs(fileLoop) : null,
    answeredMs: (request) =>
      loaded === undefined ? null : answeredMs(engine.store.entries(loaded.state.loop), request),
  });
  if (asked !== undefined) return { request: asked, question: whatToDo(vault, asked) };
  if (!isAsking) return undefined;
  const request = ownRequest(loopId, (loaded?.state.counted ?? file?.current_iteration ?? 0) + 1);
  return { request, question: `the loop asks for approval: ${whatToDo(vault, request)}` };
}

/** `null` = nobody can say. Files are stamped by a coarser clock than ours, and documents write whole seconds. */
function beganMs({ file, loaded }: FileLoop): number | null {
  const begun = [file?.started_at, loaded?.state.startedAt].map((at) => Date.parse(at ?? '')).filter(Number.isFinite);
  return begun.length === 0 ? null : Math.floor(Math.min(...begun) / 1000) * 1000;
}

/** When this request was last answered, or the loop continued otherwise after it had waited for it; `null` = never. */
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

/**
 * What to tell a paused loop; none = the answer is not there yet. A pause that nobody made a request for gets one, so that there is
 * always a file to move.
 */
export function answersFor(vaultSession: VaultSession, fileLoop: FileLoop): readonly Event[] {
  const { state } = fileLoop.loaded ?? {};
  const pause = state?.pause ?? null;
  if (state === undefined || pause === null) return [];
  if (pause.resumeAt !== undefined) return [{ kind: 'wait-ended' }];
  if (fileLoop.edited && saysGoOn(fileLoop.file)) return approved(pause);
  const request = requestFor(fileLoop.loopId, state, pause);
  const { vault, engine } = vaultSession;
  const answer = answerTo(vault, request, lookFor(engine.store.entries(state.loop), fileLoop));
  switch (answer.kind) {
    case 'approved':
      return approved(pause);
    case 'rejected':
      return refused(pause, answer.reason);
    case 'pending':
      return [];
    case 'gone': {
      const question = pause.question ?? `The loop is paused: ${pauseWords(pause)}. May it go on?`;
      writeRequest(vaultSession.vault, request, { loopId: fileLoop.loopId, question, state });
      return [];
    }
  }
}

/** The request in the folder while the user has paused the loop: one that somebody made, or the loop's own about the pause. */
export function openRequest(vaultSession: VaultSession, fileLoop: FileLoop): OpenRequest | null {
  const { state } = fileLoop.loaded ?? {};
  if (state?.pause?.cause !== 'user') return null;
  const due = approvalDue(vaultSession, { ...fileLoop, edited: false });
  if (due !== undefined) return { name: due.request, isOfPause: false };
  const name = requestFor(fileLoop.loopId, state, state.pause);
  return isPending(vaultSession.vault, name) ? { name, isOfPause: true } : null;
}

/** What the person answered in the folders, for one who asks before the loop has heard it; `null` = nothing yet. Writes nothing. */
export function answerWords({ vault, engine }: VaultSession, fileLoop: FileLoop): string | null {
  const { state } = fileLoop.loaded ?? {};
  const pause = state?.pause ?? null;
  if (state === undefined || pause === null || pause.resumeAt !== undefined) return null;
  const request = requestFor(fileLoop.loopId, state, pause);
  const { kind } = answerTo(vault, request, lookFor(engine.store.entries(state.loop), fileLoop));
  if (kind !== 'approved' && kind !== 'rejected') return null;
  const said = kind === 'approved' ? 'approved; the loop continues' : 'refused; the agent reads why';
  return `${request} was ${said} at the next stop of the agent: write to it in its session`;
}

function lookFor(
  entries: readonly Entry[],
  fileLoop: FileLoop,
): { readonly loopId: string; readonly beganMs: number; readonly askedMs: number } {
  return { loopId: fileLoop.loopId, beganMs: beganMs(fileLoop) ?? Infinity, askedMs: pausedMs(entries) };
}

/** When the loop began to wait. */
function pausedMs(entries: readonly Entry[]): number {
  return Date.parse(entries.findLast(({ decision }) => decision.kind === 'pause')?.at ?? '') || 0;
}

/** What the user is told while the loop waits. */
export function waitingFor({ vault }: VaultSession, { loopId, loaded }: FileLoop): string {
  const pause = loaded?.state.pause ?? null;
  if (loaded === undefined || pause === null) return 'Waiting for approval';
  const what = whatToDo(vault, requestFor(loopId, loaded.state, pause));
  if (isHandedOver(loaded.state)) return `Paused: ${pauseWords(pause)}. Write to the agent to go on, or ${what}`;
  return pause.resumeAt === undefined
    ? `Waiting for approval: ${what}`
    : `Waiting until ${new Date(pause.resumeAt).toISOString()}: the usage limit is reached`;
}

/** Only a request out of the folder is named by its file; the others are the core's own words. */
function requestFor(loopId: string, state: State, pause: Pause): string {
  return pause.cause === 'approval' && pause.request !== undefined ? pause.request : ownRequest(loopId, state.counted);
}

function approved({ request }: Pause): readonly Event[] {
  return [request === undefined ? { kind: 'resume-requested' } : { kind: 'approval-given', request }];
}

function refused({ request }: Pause, reason: string): readonly Event[] {
  if (request !== undefined) return [{ kind: 'approval-refused', request, reason }];
  return [{ kind: 'steering-given', text: `The human refused: ${reason}` }, { kind: 'resume-requested' }];
}

/** Did the person say no? */
export function isRefusal(events: readonly Event[]): boolean {
  return events.some(({ kind }) => kind === 'approval-refused' || kind === 'steering-given');
}

function isPausedIn(file: FileLoop['file']): boolean {
  return file?.paused_for_approval === true || file?.status === 'paused_awaiting_approval';
}

/** A paused file has both fields: whoever takes back one of them continues the loop. */
function saysGoOn(file: FileLoop['file']): boolean {
  if (file === undefined) return false;
  return file.paused_for_approval !== true || file.status !== 'paused_awaiting_approval';
}
