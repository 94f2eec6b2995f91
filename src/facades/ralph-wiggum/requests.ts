import path from 'node:path';
import { fenced, fencedTail, headWithin } from '../../core/quoting.ts';
import type { State } from '../../core/loop.ts';
import { ensureDir, readTextIfExists, writeFileAtomic } from '../../system/files.ts';
import { filesOfFolder } from '../../system/folder.ts';
import type { Vault, VaultFolders } from './vault.ts';
import { inVault } from './vault.ts';

const REQUEST_CHARS_READ = 64 * 1024;
const REFUSAL_BYTES_MAX = 2000;
const OUTPUT_BYTES_MAX = 2000;
const REVIEW = 'REVIEW_';

/** The loop a request is about: its id in the document's words, and since when it runs (epoch; `null` = unknown). */
export type Asker = { readonly loopId: string; readonly sinceMs: number | null };

export type RequestAnswer =
  | { readonly kind: 'approved' }
  | { readonly kind: 'rejected'; readonly reason: string }
  | { readonly kind: 'pending' }
  /** In no folder at all. */
  | { readonly kind: 'gone' };

/**
 * The first request in `Pending_Approval` that concerns this loop: one that names it, or one that names no loop and came while it ran.
 * Those the loop made itself are none: it goes on, so they were answered elsewhere (`tireless resume`).
 */
export function pendingRequest(vault: Vault, { loopId, sinceMs }: Asker): string | undefined {
  return filesOfFolder(path.join(vault.project, vault.folders.pendingFolder)).find(({ name, modifiedMs }) => {
    if (name.startsWith(REVIEW) || isOwn(name, loopId)) return false;
    const text = (readTextIfExists(inVault(vault, 'pendingFolder', name)) ?? '').slice(0, REQUEST_CHARS_READ);
    if (namesLoop(`${name}\n${text}`, loopId)) return true;
    return !/(?<![\dA-Za-z])RALPH_\w/u.test(`${name}\n${text}`) && sinceMs !== null && modifiedMs >= sinceMs;
  })?.name;
}

/** Where a request lies now. Still pending wins over an old answer of the same name; of two answers the newer, and in doubt the refusal. */
export function answerTo(vault: Vault, request: string): RequestAnswer {
  if (find(vault, 'pendingFolder', request) !== undefined) return { kind: 'pending' };
  const approved = find(vault, 'approvedFolder', request);
  const rejected = find(vault, 'rejectedFolder', request);
  if (rejected !== undefined && rejected >= (approved ?? 0)) {
    const text = readTextIfExists(inVault(vault, 'rejectedFolder', request)) ?? '';
    return {
      kind: 'rejected',
      reason: `${request} was moved to ${vault.folders.rejectedFolder}\n${headWithin(text, REFUSAL_BYTES_MAX)}`,
    };
  }
  return approved === undefined ? { kind: 'gone' } : { kind: 'approved' };
}

/** The name of a request that the loop makes itself, one per iteration. */
export function ownRequest(loopId: string, iteration: number): string {
  return `APPROVAL_${loopId}_${iteration}.md`;
}

function isOwn(name: string, loopId: string): boolean {
  const start = `APPROVAL_${loopId}_`;
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
    ...lastOutput(state),
    `## What to do\n\n- Approve: move this file to \`${vault.folders.approvedFolder}/\`. The loop goes on by itself at the next stop.\n- Refuse: write why at the end of this file and move it to \`${vault.folders.rejectedFolder}/\`. The agent is told.`,
  ]);
}

/** For a loop that a fatal error stopped. Returns where it is. */
export function writeReview(
  vault: Vault,
  asked: { readonly loopId: string; readonly detail: string; readonly state: State; readonly kept: string },
): string {
  const { loopId, detail, state, kept } = asked;
  const name = `${REVIEW}${loopId}_${state.counted + 1}.md`;
  write(vault, name, [
    `# Review needed: loop ${loopId} was stopped by a fatal error`,
    `- Stopped at: ${state.endedAt ?? state.updatedAt}\n- Iteration: ${state.counted + 1}\n- State file: \`${kept}\`\n- Journal: \`tireless explain ${state.loop}\``,
    `## Error\n\n${fenced(detail)}`,
    ...lastOutput(state),
    `## What to do\n\n1. Repair what the error names.\n2. To run the loop again: copy the state file back to \`${vault.folders.stateFolder}/\` and set its \`status\` to \`running\`.\n3. Move this file to \`${vault.folders.approvedFolder}/\` or delete it; nothing waits for it.`,
  ]);
  return `${vault.folders.pendingFolder}/${name}`;
}

function write(vault: Vault, name: string, parts: readonly string[]): void {
  ensureDir(path.join(vault.project, vault.folders.pendingFolder));
  writeFileAtomic(inVault(vault, 'pendingFolder', name), `${parts.join('\n\n')}\n`, { durable: false });
}

function lastOutput({ lastMessage }: State): string[] {
  return lastMessage.trim() === ''
    ? []
    : [`## The end of the last output\n\n${fencedTail(lastMessage, OUTPUT_BYTES_MAX)}`];
}

/** When it came there, or `undefined`. */
function find({ project, folders }: Vault, folder: keyof VaultFolders, name: string): number | undefined {
  return filesOfFolder(path.join(project, folders[folder])).find((file) => file.name === name)?.changedMs;
}

function namesLoop(text: string, loopId: string): boolean {
  for (let at = text.indexOf(loopId); at !== -1; at = text.indexOf(loopId, at + 1)) {
    // `RALPH_1` is not named by `RALPH_12`.
    if (!/[\dA-Za-z]/u.test(text[at + loopId.length] ?? '')) return true;
  }
  return false;
}
