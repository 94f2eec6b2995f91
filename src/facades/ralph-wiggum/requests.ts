import path from 'node:path';
import { fenced, fencedTail, headWithin } from '../../core/quoting.ts';
import type { State } from '../../core/loop.ts';
import type { TurnReport } from '../../engine/ports.ts';
import { ensureDir, readTextIfExists, writeFileAtomic } from '../../system/files.ts';
import type { FolderFile } from '../../system/folder.ts';
import { filesOfFolder } from '../../system/folder.ts';
import { isReviewOf, readRequestMark, requestMark, reviewMark } from './request-marks.ts';
import type { Vault, VaultFolders } from './vault.ts';
import { inVault } from './vault.ts';

const REQUEST_CHARS_READ = 64 * 1024;
const REFUSAL_BYTES_MAX = 2000;
const OUTPUT_BYTES_MAX = 2000;
const REVIEW = 'REVIEW_';
/** Reported at one stop; the rest follow at the next. */
const REFUSALS_MAX = 10;
const REQUESTS_SHOWN_MAX = 10;
/** Files are stamped by a coarser clock than ours: one kernel tick, 10 ms at most. */
export const FILE_CLOCK_MS = 10;

/** The loop a request is about, in the document's terms. */
export type RequestingLoop = {
  readonly loopId: string;
  /** The watched task file. */
  readonly task: string | null;
  /** The loop itself asks for approval: then a request without a name that came since this time (epoch) counts. `null` = it does not ask. */
  readonly unnamedSinceMs: number | null;
  /** When the loop began; `Infinity` = unknown. */
  readonly beganMs: number;
  /** Refusals since this time are for this loop: older ones were for an earlier loop, or are already recorded. */
  readonly sinceMs: number;
  /** When a request was answered before, even though its file is still there; `null` = never. */
  readonly answeredMs: (request: string) => number | null;
  /** Did the loop wait for this request before? Then it belongs to the loop, whatever it says. */
  readonly isKnown: (request: string) => boolean;
  /** Did tireless write a request of this loop, or of an earlier one, at that time? */
  readonly wroteAt: (at: string) => boolean;
};

export type RequestAnswer =
  | { readonly kind: 'approved' }
  | { readonly kind: 'rejected'; readonly reason: string }
  | { readonly kind: 'pending' }
  /** Not in any folder. */
  | { readonly kind: 'gone' };

/**
 * The unanswered requests in `Pending_Approval` that concern this loop: those that name it or its task file, and those that came with its own
 * request for approval. Requests written by tireless are left out: the loop continues, so they were answered elsewhere (`tireless resume`).
 */
export function openRequests(vault: Vault, asker: RequestingLoop): readonly string[] {
  const { answeredMs, beganMs } = asker;
  return requestsIn(vault, 'pendingFolder', asker, () => true)
    .filter(({ name, changedMs }) => changedMs > (answeredMs(name) ?? -Infinity) - FILE_CLOCK_MS)
    .map(({ name }) => name)
    .filter((name) => answerTo(vault, name, { isOurs: false, beganMs, askedMs: beganMs }).kind === 'pending');
}

export type Refusal = { readonly request: string; readonly reason: string };

/** The refused requests of this loop that are newer than the request and not in its journal yet. Oldest first. */
export function newRefusals(vault: Vault, asker: RequestingLoop): readonly Refusal[] {
  const { answeredMs, sinceMs } = asker;
  const isNew = ({ name, changedMs }: FolderFile): boolean =>
    changedMs >= sinceMs && changedMs > (answeredMs(name) ?? -Infinity);
  return requestsIn(vault, 'rejectedFolder', asker, isNew)
    .toSorted((a, b) => a.changedMs - b.changedMs)
    .flatMap(({ name: request }) => {
      const answer = answerTo(vault, request, { isOurs: false, beganMs: sinceMs, askedMs: sinceMs + CLOCK_SLACK_MS });
      return answer.kind === 'rejected' ? [{ request, reason: answer.reason }] : [];
    })
    .slice(0, REFUSALS_MAX);
}

/** Has a person answered a request of this loop since then, either way? */
export function hasAnswerSince(vault: Vault, asker: RequestingLoop, sinceMs: number): boolean {
  const isSince = ({ changedMs }: FolderFile): boolean => changedMs >= sinceMs;
  return (['approvedFolder', 'rejectedFolder'] as const).some(
    (folder) => requestsIn(vault, folder, { ...asker, unnamedSinceMs: null }, isSince).length > 0,
  );
}

/** The files of a folder that concern this loop, except its own. `isMeant`: tested before a file is read. */
function requestsIn(
  vault: Vault,
  folder: keyof VaultFolders,
  asker: RequestingLoop,
  isMeant: (file: FolderFile) => boolean,
): readonly FolderFile[] {
  const { loopId, task, unnamedSinceMs, isKnown } = asker;
  const words = [loopId, ...taskWords(task)];
  return filesOfFolder(path.join(vault.project, vault.folders[folder])).filter((file) => {
    if (file.name.startsWith(REVIEW) || !isMeant(file)) return false;
    const content = (readTextIfExists(inVault(vault, folder, file.name)) ?? '').slice(0, REQUEST_CHARS_READ);
    if (isWrittenByUs(file.name, content, asker)) return false;
    const text = `${file.name}\n${content}`;
    if (words.some((word) => namesWord(text, word)) || isKnown(file.name)) return true;
    if (unnamedSinceMs === null || file.modifiedMs < unnamedSinceMs || NOT_A_REQUEST.test(file.name)) return false;
    return !/(?<![\dA-Za-z])RALPH_\w/u.test(text);
  });
}

/** Files that people leave in a folder to describe it. */
const NOT_A_REQUEST = /^(?:readme|index|template)\b/iu;
/** A shorter name without its extension occurs in too many texts. */
const TASK_STEM_CHARS_MIN = 5;

/** `Needs_Action/INVOICE_client.md` may also be written `INVOICE_client.md` or `INVOICE_client`. */
function taskWords(task: string | null): readonly string[] {
  const name = task?.split(/[\\/]/u).at(-1) ?? '';
  const stem = name.replace(/\.[^.]+$/u, '');
  return [...(name === '' ? [] : [name]), ...(stem.length < TASK_STEM_CHARS_MIN ? [] : [stem])];
}

/**
 * Where a request is now. An answer, moved or copied, counts if it is newer than the request (`beganMs`, `askedMs`: when the loop began and
 * when it asked): names repeat when a state file is reused. Of two answers the newer one counts, and in doubt the refusal.
 */
export function answerTo(
  vault: Vault,
  request: string,
  { isOurs, beganMs, askedMs }: { readonly isOurs: boolean; readonly beganMs: number; readonly askedMs: number },
): RequestAnswer {
  const pending = find(vault, 'pendingFolder', request);
  // A request that someone else wrote in this loop may have been answered before the stop that noticed it.
  const isOfThisLoop = pending !== undefined && !isOurs && pending >= beganMs;
  const sinceMs = isOfThisLoop ? pending : askedMs - CLOCK_SLACK_MS;
  const since = (changedMs: number | undefined): number | undefined =>
    changedMs !== undefined && changedMs >= sinceMs && changedMs > (pending ?? -Infinity) ? changedMs : undefined;
  const approved = since(find(vault, 'approvedFolder', request));
  const rejected = since(find(vault, 'rejectedFolder', request));
  if (rejected !== undefined && rejected >= (approved ?? 0)) {
    const text = readTextIfExists(inVault(vault, 'rejectedFolder', request)) ?? '';
    return {
      kind: 'rejected',
      reason: `${request} was moved to ${vault.folders.rejectedFolder}\n${headWithin(text, REFUSAL_BYTES_MAX)}`,
    };
  }
  if (approved !== undefined) return { kind: 'approved' };
  return { kind: pending === undefined ? 'gone' : 'pending' };
}

export function isPending(vault: Vault, request: string): boolean {
  return find(vault, 'pendingFolder', request) !== undefined;
}

/** A person may answer between our read and the commit. */
const CLOCK_SLACK_MS = 500;

/** The name of a request made by the loop itself, one per iteration. */
export function ownRequest(loopId: string, iteration: number): string {
  return `APPROVAL_${nameOf(loopId)}_${iteration}.md`;
}

/** An id is text from the state file: it never leads to another folder. */
function nameOf(loopId: string): string {
  return loopId.replaceAll(/[\\/:\0]/gu, '_');
}

/** Is there a request of this name in `Pending_Approval` that tireless itself wrote? */
export function isOursPending(vault: Vault, request: string, asker: RequestingLoop): boolean {
  return isWrittenByUs(request, readTextIfExists(inVault(vault, 'pendingFolder', request)) ?? '', asker);
}

/** A name alone proves nothing, nor does our mark: an agent can write both. But the time in the mark must be in the journal. */
function isWrittenByUs(name: string, text: string, { loopId, wroteAt }: RequestingLoop): boolean {
  const mark = readRequestMark(text, loopId);
  return mark !== null && name === ownRequest(loopId, mark.iteration) && wroteAt(mark.at);
}

/** The exact action the person has to take. */
export function requiredAction({ folders }: Vault, requests: readonly string[]): string {
  const files = requests.slice(0, REQUESTS_SHOWN_MAX).map((request) => `${folders.pendingFolder}/${request}`);
  const more = requests.length - files.length;
  const all = `${files.join(', ')}${more === 0 ? '' : `, and ${more} more`}`;
  return `move ${requests.length > 1 ? 'each of ' : ''}${all} to ${folders.approvedFolder} to continue, or to ${folders.rejectedFolder} to refuse`;
}

export function writeRequest(
  vault: Vault,
  request: string,
  asked: { readonly loopId: string; readonly question: string; readonly state: State },
): void {
  const { loopId, question, state } = asked;
  write(vault, request, [
    `# Approval needed: loop ${loopId}`,
    requestMark({ loopId, iteration: state.counted, at: state.updatedAt }),
    `The loop has been waiting since ${state.updatedAt}, after iteration ${state.counted}.`,
    `## Question\n\n${fenced(question)}`,
    ...outputPart('The end of the last output', state.lastMessage),
    `## What to do\n\n- Approve: move this file to \`${vault.folders.approvedFolder}/\`. Then the loop continues by itself.\n- Refuse: write why at the end of this file and move it to \`${vault.folders.rejectedFolder}/\`. The agent gets your text.`,
  ]);
}

/** For a loop that was stopped by a fatal error. Returns the path. */
export function writeReview(
  vault: Vault,
  asked: {
    readonly loopId: string;
    readonly detail: string;
    /** The agent's last words before the turn failed; empty = none. */
    readonly lastMessage: string;
    readonly state: State;
    readonly kept: string;
  },
): string {
  const { loopId, detail, lastMessage: said, state, kept } = asked;
  const name = `${REVIEW}${nameOf(loopId)}_${state.counted + 1}.md`;
  write(vault, name, [
    `# Review needed: loop ${loopId} was stopped by a fatal error`,
    reviewMark(state.loop),
    `- Stopped at: ${state.endedAt ?? state.updatedAt}\n- Iteration: ${state.counted + 1}\n- State file: \`${kept}\`\n- Journal: \`tireless explain ${state.loop}\``,
    `## Error\n\n${fenced(detail)}`,
    ...outputPart(`The failed turn (iteration ${state.counted + 1})`, said),
    ...outputPart(`The end of the turn before (iteration ${state.counted})`, state.lastMessage),
    `## What to do\n\n1. Repair what the error names.\n2. To run the loop again: \`tireless resume ${state.loop}\`, or copy the state file back to \`${vault.folders.stateFolder}/\` and set its \`status\` to \`running\`.\n3. Move this file to \`${vault.folders.approvedFolder}/\` or delete it; nothing waits for it.`,
  ]);
  return `${vault.folders.pendingFolder}/${name}`;
}

/** A turn that failed at once has no message: its transcript ends with the turn before. */
export function lastMessageOf(
  { message, lastMessage }: Pick<TurnReport, 'message' | 'lastMessage'>,
  before: string,
): string {
  const text = message ?? lastMessage?.() ?? '';
  const isOld = message === undefined && before !== '' && text.endsWith(before);
  return isOld ? '' : text;
}

/** The path of the review of this loop, relative to the project; `undefined` = it was answered, or there was none. */
export function findReview(vault: Vault, { loop }: Pick<State, 'loop'>): string | undefined {
  const { pendingFolder } = vault.folders;
  const isAbout = ({ name }: FolderFile): boolean =>
    name.startsWith(REVIEW) && isReviewOf(readTextIfExists(inVault(vault, 'pendingFolder', name)) ?? '', loop);
  const found = filesOfFolder(path.join(vault.project, pendingFolder)).find(isAbout);
  return found === undefined ? undefined : `${pendingFolder}/${found.name}`;
}

function write(vault: Vault, name: string, parts: readonly string[]): void {
  ensureDir(path.join(vault.project, vault.folders.pendingFolder));
  writeFileAtomic(inVault(vault, 'pendingFolder', name), `${parts.join('\n\n')}\n`, { durable: false });
}

function outputPart(title: string, text: string): string[] {
  return text.trim() === '' ? [] : [`## ${title}\n\n${fencedTail(text, OUTPUT_BYTES_MAX)}`];
}

/** When it arrived there, or `undefined`. */
function find({ project, folders }: Vault, folder: keyof VaultFolders, name: string): number | undefined {
  return filesOfFolder(path.join(project, folders[folder])).find((file) => file.name === name)?.changedMs;
}

/** As a whole word: `RALPH_12` does not name `RALPH_1`, and `data.md` does not name `a.md`. */
function namesWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    if (!isAlphanumeric(text[at - 1]) && !isAlphanumeric(text[at + word.length])) return true;
  }
  return false;
}

function isAlphanumeric(character: string | undefined): boolean {
  return /[\dA-Za-z]/u.test(character ?? '');
}
