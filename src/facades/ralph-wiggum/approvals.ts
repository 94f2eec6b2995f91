import type { Event } from '../../core/event.ts';
import type { ApprovalDue } from '../../core/evidence.ts';
import type { Entry } from '../../core/journal.ts';
import type { Pause, State } from '../../core/loop.ts';
import type { VaultSession, FileLoop } from './vault-session.ts';
import { answerTo, ownRequest, pendingRequest, whatToDo, writeRequest } from './requests.ts';

/** Is there a request that a human has not answered yet? Then the stop at hand pauses the loop. */
export function approvalDue({ vault, engine }: VaultSession, fileLoop: FileLoop): ApprovalDue | undefined {
  const { loopId, file, loaded, edited } = fileLoop;
  const begun = [file?.started_at, loaded?.state.startedAt].map((at) => Date.parse(at ?? '')).filter(Number.isFinite);
  // Files are stamped by a coarser clock than ours, and documents write whole seconds.
  const sinceMs = begun.length === 0 ? null : Math.floor(Math.min(...begun) / 1000) * 1000;
  // Someone else set the flag: the agent, a tool of the vault, a human.
  const isAsking = edited && isPausedIn(file);
  const asked = pendingRequest(vault, {
    loopId,
    task: file?.watch_file ?? null,
    unnamedSinceMs: isAsking ? sinceMs : null,
    answeredMs: (request) =>
      loaded === undefined ? null : answeredMs(engine.store.entries(loaded.state.loop), request),
  });
  if (asked !== undefined) return { request: asked, question: whatToDo(vault, asked) };
  if (!isAsking) return undefined;
  const request = ownRequest(loopId, (loaded?.state.counted ?? file?.current_iteration ?? 0) + 1);
  return { request, question: `the loop asks for approval: ${whatToDo(vault, request)}` };
}

/** When the loop last continued after it had waited for this request, however that was answered; `null` = it never did. */
function answeredMs(entries: readonly Entry[], request: string): number | null {
  let isAsked = false;
  let answered: number | null = null;
  for (const { decision, at } of entries) {
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
  const answer = answerTo(vaultSession.vault, request, pausedMs(vaultSession.engine.store.entries(state.loop)));
  switch (answer.kind) {
    case 'approved':
      return approved(pause);
    case 'rejected':
      return refused(pause, answer.reason);
    case 'pending':
      return [];
    case 'gone': {
      const question = pause.question ?? 'The loop was paused. May it go on?';
      writeRequest(vaultSession.vault, request, { loopId: fileLoop.loopId, question, state });
      return [];
    }
  }
}

/** When the loop began to wait. */
function pausedMs(entries: readonly Entry[]): number {
  return Date.parse(entries.findLast(({ decision }) => decision.kind === 'pause')?.at ?? '') || 0;
}

/** What the user is told while the loop waits. */
export function waitingFor({ vault }: VaultSession, { loopId, loaded }: FileLoop): string {
  const pause = loaded?.state.pause ?? null;
  if (loaded === undefined || pause === null) return 'Waiting for approval';
  return pause.resumeAt === undefined
    ? `Waiting for approval: ${whatToDo(vault, requestFor(loopId, loaded.state, pause))}`
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
