import type { SettingsEdit } from '../../hosts/setup.ts';
import type { FilePlan } from './file-plan.ts';
import type { HostPlan } from './host-plan.ts';
import type { UndoPlan } from './undo-plan.ts';

const ACTIONS: Readonly<Record<FilePlan['action'], string>> = {
  new: 'new',
  changed: 'changed',
  same: 'unchanged',
  foreign: 'left alone',
};

const UNDONE: Readonly<Record<UndoPlan['action'], string>> = {
  restored: 'restored, byte for byte',
  removed: 'removed',
  'entries-removed': 'changed since: only the entries of tireless removed',
  kept: 'kept',
  nothing: 'contains nothing of tireless',
};

/** What the user sees before anything is written. */
export function planLines({ record, files, undone }: HostPlan): readonly string[] {
  const where = record.scope === 'user' ? 'for your user' : `for the project ${record.project ?? ''}`;
  return [
    `${record.host}, ${where}:`,
    ...files.flatMap(({ file, edits, action }) => [`  ${file} (${ACTIONS[action]})`, ...edits.map(editLine)]),
    ...undoLines(undone),
  ];
}

export function undoLines(undone: readonly UndoPlan[]): readonly string[] {
  return undone.map(({ file, action }) => `  ${file} (${UNDONE[action]})`);
}

export function hasChanges({ files, undone }: HostPlan): boolean {
  return files.some(({ action }) => action === 'new' || action === 'changed') || undone.length > 0;
}

/** What the files do not show: each note once, for however many files. */
export function noteLines({ files, undone, advice }: HostPlan): readonly string[] {
  return [...new Set([...files.flatMap(({ notes }) => notes), ...undone.flatMap(({ notes }) => notes), ...advice])];
}

function editLine(edit: SettingsEdit): string {
  const keys = edit.kind === 'json' ? `${edit.puts.map(({ path }) => path.join('.')).join(', ')}: ` : '';
  return `    ${keys}${edit.why}`;
}
