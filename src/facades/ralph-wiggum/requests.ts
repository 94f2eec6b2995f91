import path from 'node:path';
import { fenced, fencedTail, headWithin } from '../../core/quoting.ts';
import type { State } from '../../core/loop.ts';
import { ensureDir, readTextIfExists, writeFileAtomic } from '../../system/files.ts';
import type { FolderFile } from '../../system/folder.ts';
import { filesOfFolder } from '../../system/folder.ts';
import type { Vault, VaultFolders } from './vault.ts';
import { inVault } from './vault.ts';

const REQUEST_CHARS_READ = 64 * 1024;
const REFUSAL_BYTES_MAX = 2000;
const OUTPUT_BYTES_MAX = 2000;
const REVIEW = 'REVIEW_';
/** Files are stamped by a coarser clock than ours: a tick of the kernel, 10 ms at most. */
const FILE_CLOCK_MS = 10;

/** The loop a request is about, in the document's words. */
export type Asker = {
  readonly loopId: string;
  /** The watched task file. */
  readonly task: string | null;
  /** The loop itself asks for approval: then a request without a name counts that came since (epoch). `null` = none does. */
  readonly unnamedSinceMs: number | null;
  /** When a request was answered before, though its file is still there; `null` = never. */
  readonly answeredMs: (request: string) => number | null;
};

export type RequestAnswer =
  | { readonly kind: 'approved' }
  | { readonly kind: 'rejected'; readonly reason: string }
  | { readonly kind: 'pending' }
  /** In no folder at all. */
  | { readonly kind: 'gone' };

/**
 * The first request in `Pending_Approval` that concerns this loop: one that names it or its task file, or the one that came with its own
 * wish to be approved. Those the loop made itself are none: it continues, so they were answered elsewhere (`tireless resume`).
 */
export function pendingRequest(vault: Vault, asker: Asker): string | undefined {
  const { loopId, task, unnamedSinceMs, answeredMs } = asker;
  const words = [loopId, ...taskWords(task)];
  const requests = filesOfFolder(path.join(vault.project, vault.folders.pendingFolder))
    .filter(({ name }) => !name.startsWith(REVIEW) && !isOwn(name, loopId))
    .map((file) => {
      const text = (readTextIfExists(inVault(vault, 'pendingFolder', file.name)) ?? '').slice(0, REQUEST_CHARS_READ);
      return { ...file, text: `${file.name}\n${text}` };
    });
  const isOpen = ({ name, changedMs }: FolderFile): boolean =>
    changedMs > (answeredMs(name) ?? -Infinity) - FILE_CLOCK_MS;
  const named = requests.find((file) => words.some((word) => namesWord(file.text, word)) && isOpen(file));
  const unnamed = (): FolderFile | undefined =>
    requests.find(
      (file) =>
        unnamedSinceMs !== null &&
        file.modifiedMs >= unnamedSinceMs &&
        !NOT_A_REQUEST.test(file.name) &&
        !/(?<![\dA-Za-z])RALPH_\w/u.test(file.text) &&
        isOpen(file),
    );
  return (named ?? unnamed())?.name;
}

/** What people leave in a folder to describe it. */
const NOT_A_REQUEST = /^(?:readme|index|template)\b/iu;
/** A shorter name without its ending stands in many a text. */
const TASK_STEM_CHARS_MIN = 5;

/** `Needs_Action/INVOICE_client.md` is also called `INVOICE_client.md` and `INVOICE_client`. */
function taskWords(task: string | null): readonly string[] {
  const name = task?.split(/[\\/]/u).at(-1) ?? '';
  const stem = name.replace(/\.[^.]+$/u, '');
  return [...(name === '' ? [] : [name]), ...(stem.length < TASK_STEM_CHARS_MIN ? [] : [stem])];
}

/**
 * Where a request lies now. An answer, moved or copied, counts when it is newer than the request (`beganMs`, `askedMs`: when the loop began and
 * when it asked): names come again when a state file is used again. Of two answers the newer counts, and in doubt the refusal.
 */
export function answerTo(
  vault: Vault,
  request: string,
  { loopId, beganMs, askedMs }: { readonly loopId: string; readonly beganMs: number; readonly askedMs: number },
): RequestAnswer {
  const pending = find(vault, 'pendingFolder', request);
  // A request that someone else wrote in this loop may have been answered before the stop that noticed it.
  const isOfThisLoop = pending !== undefined && !isOwn(request, loopId) && pending >= beganMs;
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

/** A person may answer between our look and the commit. */
const CLOCK_SLACK_MS = 500;

/** The name of a request that the loop makes itself, one per iteration. */
export function ownRequest(loopId: string, iteration: number): string {
  return `APPROVAL_${nameOf(loopId)}_${iteration}.md`;
}

/** An id is text from the state file: it never leads to another folder. */
function nameOf(loopId: string): string {
  return loopId.replaceAll(/[\\/:\0]/gu, '_');
}

function isOwn(name: string, loopId: string): boolean {
  const start = `APPROVAL_${nameOf(loopId)}_`;
  return name.startsWith(start) && /^\d+\.md$/u.test(name.slice(start.length));
}

/** The exact human action. */
export function whatToDo({ folders }: Vault, request: string): string {
  return `move ${folders.pendingFolder}/${request} to ${folders.approvedFolder} to go on, or to ${folders.rejectedFolder} to refuse`;
}

export function writeRequest(
  vault: Vault,
  request: string,
  asked: { readonly loopId: string; readonly question: string; readonly state: State },
): void {
  const { loopId, question, state } = asked;
  write(vault, request, [
    `# Approval needed: loop ${loopId}`,
    `The loop waits since ${state.updatedAt}, after iteration ${state.counted}.`,
    `## Question\n\n${fenced(question)}`,
    ...outputPart('The end of the last output', state.lastMessage),
    `## What to do\n\n- Approve: move this file to \`${vault.folders.approvedFolder}/\`. The loop goes on by itself at the next stop.\n- Refuse: write why at the end of this file and move it to \`${vault.folders.rejectedFolder}/\`. The agent is told.`,
  ]);
}

/** For a loop that a fatal error stopped. Returns where it is. */
export function writeReview(
  vault: Vault,
  asked: {
    readonly loopId: string;
    readonly detail: string;
    /** What the failed turn said before it failed; empty = nothing. */
    readonly said: string;
    readonly state: State;
    readonly kept: string;
  },
): string {
  const { loopId, detail, said, state, kept } = asked;
  const name = `${REVIEW}${nameOf(loopId)}_${state.counted + 1}.md`;
  write(vault, name, [
    `# Review needed: loop ${loopId} was stopped by a fatal error`,
    `- Stopped at: ${state.endedAt ?? state.updatedAt}\n- Iteration: ${state.counted + 1}\n- State file: \`${kept}\`\n- Journal: \`tireless explain ${state.loop}\``,
    `## Error\n\n${fenced(detail)}`,
    ...outputPart(`The failed turn (iteration ${state.counted + 1})`, said),
    ...outputPart(`The end of the turn before (iteration ${state.counted})`, state.lastMessage),
    `## What to do\n\n1. Repair what the error names.\n2. To run the loop again: copy the state file back to \`${vault.folders.stateFolder}/\` and set its \`status\` to \`running\`.\n3. Move this file to \`${vault.folders.approvedFolder}/\` or delete it; nothing waits for it.`,
  ]);
  return `${vault.folders.pendingFolder}/${name}`;
}

/** Where the review of this loop is, relative to the project; `undefined` = it was answered, or there was none. */
export function findReview(vault: Vault, { loop }: Pick<State, 'loop'>): string | undefined {
  const { pendingFolder } = vault.folders;
  const isAbout = ({ name }: FolderFile): boolean =>
    name.startsWith(REVIEW) &&
    (readTextIfExists(inVault(vault, 'pendingFolder', name)) ?? '').includes(`\`tireless explain ${loop}\``);
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

/** When it came there, or `undefined`. */
function find({ project, folders }: Vault, folder: keyof VaultFolders, name: string): number | undefined {
  return filesOfFolder(path.join(project, folders[folder])).find((file) => file.name === name)?.changedMs;
}

/** As a whole: `RALPH_12` does not name `RALPH_1`, and `data.md` does not name `a.md`. */
function namesWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    if (!isAlphanumeric(text[at - 1]) && !isAlphanumeric(text[at + word.length])) return true;
  }
  return false;
}

function isAlphanumeric(character: string | undefined): boolean {
  return /[\dA-Za-z]/u.test(character ?? '');
}
