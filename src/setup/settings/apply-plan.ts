import { writeFileAtomic } from '../../system/files.ts';
import { makeFolderOf, removeEmptyFolders, removeFile } from '../../system/settings-files.ts';
import type { HostPlan } from './host-plan.ts';
import type { InstallRecord } from './install-record.ts';
import { readRecord, removeRecord, writeRecord } from './install-record.ts';
import type { UndoPlan } from './undo-plan.ts';

type Change = { readonly file: string; readonly before: Uint8Array | null; readonly after: Uint8Array | null };

/**
 * Writes a plan. The record is written first, so that the original bytes are in it whatever happens next. If one file cannot be written,
 * those before it get their old bytes back, so that an agent is never half set up. Throws a Fault.
 */
export function applyPlan(home: string, { record, files, undone }: HostPlan): void {
  const changes: Change[] = [
    ...files.filter(({ action }) => action === 'new' || action === 'changed'),
    ...changed(undone),
  ];
  const earlier = readRecord(home, record);
  const folders = new Map<string, string>();
  try {
    for (const { file, after } of changes) {
      const folder = after === null ? null : makeFolderOf(file);
      if (folder !== null) folders.set(file, folder);
    }
    writeRecord(home, {
      ...record,
      files: record.files.map((each) => ({ ...each, folder: folders.get(each.file) ?? each.folder })),
    });
    putAll(changes);
    removeFolders(undone);
  } catch (error) {
    for (const [file, folder] of folders) removeEmptyFolders(file, folder);
    restoreRecord(home, record, earlier);
    throw error;
  }
}

/** The reverse: the caller removes the record last. If it throws a Fault, everything is as before. */
export function applyUndo(undone: readonly UndoPlan[]): void {
  putAll(changed(undone));
  removeFolders(undone);
}

function putAll(changes: readonly Change[]): void {
  const done: Change[] = [];
  try {
    for (const change of changes) {
      put(change.file, change.after);
      done.push(change);
    }
  } catch (error) {
    for (const { file, before } of done) put(file, before);
    throw error;
  }
}

/** After all files are removed, because several of them may share a folder that was created for the first. */
function removeFolders(undone: readonly UndoPlan[]): void {
  for (const { file, folder } of undone) if (folder !== null) removeEmptyFolders(file, folder);
}

function changed(undone: readonly UndoPlan[]): readonly UndoPlan[] {
  return undone.filter(({ action }) => action !== 'kept' && action !== 'nothing');
}

function put(file: string, bytes: Uint8Array | null): void {
  if (bytes === null) removeFile(file);
  else writeFileAtomic(file, bytes, { durable: true });
}

function restoreRecord(home: string, record: InstallRecord, earlier: InstallRecord | undefined): void {
  if (earlier === undefined) removeRecord(home, record);
  else writeRecord(home, earlier);
}
