import type { HostId } from '../../hosts/ids.ts';
import { thisProgram } from '../../system/settings-files.ts';
import type { SetupWorld } from '../setup-world.ts';
import { applyUndo } from './apply-plan.ts';
import { ourEntryTest } from './host-plan.ts';
import type { InstallRecord } from './install-record.ts';
import { allRecords, isSharedGuard, removeRecord } from './install-record.ts';
import type { UndoPlan } from './undo-plan.ts';
import { planUndo } from './undo-plan.ts';
import { findUnrecordedFiles } from './unrecorded-files.ts';
import { partialFault, writeEach } from './write-each.ts';

/** What one install wrote. */
export type InstalledPart = {
  readonly host: HostId;
  /** `null` = no install is recorded, and the entries were found by their text. */
  readonly record: InstallRecord | null;
  readonly where: string;
  /** How each of its files is restored. Reads and computes, writes nothing. */
  readonly plan: () => readonly UndoPlan[];
};

/** `user`, `project`: only the parts of that scope. */
export type PartFilter = {
  /** Empty = every host. */
  readonly hosts: readonly HostId[];
  readonly user: boolean;
  readonly project: boolean;
  /** The project to consider. */
  readonly cwd: string;
};

/** Everything that is installed; for a named host without a record, entries found by their text. */
export function findInstalled(filter: PartFilter, world: SetupWorld): readonly InstalledPart[] {
  const { hosts, cwd } = filter;
  const home = world.services.home();
  // The newest scope first: hooks of a loop were added last.
  const records = allRecords(home)
    .filter((record) => isSelected(record, filter))
    .toSorted((a, b) => a.scope.localeCompare(b.scope));
  const search = { flags: filter, project: cwd, program: thisProgram() };
  return [
    // A script that several of them need is removed with the last.
    ...records.map((record, at) => recordedPart(record, home, records.slice(0, at + 1))),
    ...hosts
      .filter((id) => !records.some((record) => record.host === id))
      .map((host) => unrecordedPart(host, () => findUnrecordedFiles(host, search, world)))
      .filter(({ plan }) => plan().length > 0),
  ];
}

/** Removes the parts one by one, and calls `onRemoved` for each. Throws a Fault that lists what was removed and what was not. */
export function removeInstalled(
  parts: readonly InstalledPart[],
  home: string,
  onRemoved: (part: InstalledPart, undone: readonly UndoPlan[]) => void,
): void {
  const { done, left, fault } = writeEach(parts, (part) => {
    // Planned again: two parts may concern the same file.
    const undone = part.plan();
    applyUndo(undone);
    onRemoved(part, undone);
  });
  // A read-only home must not keep the hooks in the settings: they have been removed by now, and that was reported.
  for (const { record } of done) if (record !== null) removeRecord(home, record);
  if (fault === null) return;
  const hosts = left.map(({ host }) => host);
  throw partialFault(fault, { word: 'removed', done: done.map(nameOf), left: left.map(nameOf), hosts });
}

function recordedPart(record: InstallRecord, home: string, leaving: readonly InstallRecord[]): InstalledPart {
  const isOurs = ourEntryTest(record, home);
  const files = record.files.filter((file) => !isSharedGuard(file, home, leaving));
  const plan = (): readonly UndoPlan[] => files.toReversed().map((file) => planUndo(file, isOurs));
  return { host: record.host, record, where: scopeText(record), plan };
}

function unrecordedPart(host: HostId, plan: () => readonly UndoPlan[]): InstalledPart {
  return { host, record: null, where: 'by the text of its entries (there is no record of an install)', plan };
}

function isSelected(record: InstallRecord, { hosts, user, project, cwd }: PartFilter): boolean {
  if (hosts.length > 0 && !hosts.includes(record.host)) return false;
  return user ? record.scope === 'user' : !project || record.project === cwd;
}

function nameOf({ host, where }: InstalledPart): string {
  return `${host} ${where}`;
}

function scopeText({ scope, project }: InstallRecord): string {
  if (scope === 'user') return 'for your user';
  return scope === 'project' ? `for the project ${project ?? ''}` : `with the loops of ${project ?? ''}`;
}
