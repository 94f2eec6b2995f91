import path from 'node:path';
import { Fault } from '../../core/fault.ts';
import type { HostId } from '../../hosts/ids.ts';
import type { SettingsEdit, SetupPlace } from '../../hosts/setup.ts';
import { HOSTS } from '../../hosts/hosts.ts';
import { OTHER_NAME } from '../../hosts/typed-command.ts';
import { gitExcludeFile } from '../../system/git-exclude.ts';
import { sha256 } from '../../system/ids.ts';
import { oneLine } from '../../views/printable.ts';
import type { OwnCommand } from './own-commands.ts';
import { isOfProjectOnly, ownCommands } from './own-commands.ts';
import type { FilePlan } from './file-plan.ts';
import { planFile, refuseReadOnlyIn, textOf } from './file-plan.ts';
import { isStrictJson, valueIn } from './json-text.ts';
import type { Installation } from './installation.ts';
import type { FileRecord, InstallRecord, RecordKey } from './install-record.ts';
import { callsIn, isOurCall } from './our-calls.ts';
import { allRecords, isSharedGuard, readRecord } from './install-record.ts';
import type { UndoPlan } from './undo-plan.ts';
import { planUndo } from './undo-plan.ts';

/** All changes for one host. Nothing is written yet. */
export type HostPlan = {
  readonly record: InstallRecord;
  readonly files: readonly FilePlan[];
  /** Files that an older version wrote and this one does not. */
  readonly undone: readonly UndoPlan[];
  readonly advice: readonly string[];
};

/** `earlier`: plans that are written before this one. git's exclude file is the only one that hosts share. */
export function planHost(installation: Installation, place: SetupPlace, earlier: readonly HostPlan[] = []): HostPlan {
  const setup = HOSTS[installation.host].install;
  const key: RecordKey = { host: installation.host, scope: installation.scope, project: installation.project };
  const own = place.dialectsOnly ? [] : ownCommands(installation.host, place);
  // The scripts first: a line in the settings must not point to a missing file.
  const edits = [...place.guards, ...withoutTaken(setup.edits(place), own, place.scope)];
  const planned = planEdits(edits, key, place);
  const files = [
    ...planned,
    ...planEdits(otherNames(setup.edits(place), planned, own, { key, home: place.tirelessHome }), key, place),
  ];
  const trusted =
    installation.trust && setup.trust !== undefined
      ? setup.trust(place, { settingsIn: settingsAfter(files), sha256: (text) => sha256(text) })
      : [];
  const more = trusted.length === 0 ? [] : planEdits(trusted, key, place);
  const written = [...files, ...more];
  const all = [...written, ...planEdits(excludeEdits(written, key), key, place, earlier)];
  refuseReadOnlyIn(all);
  const undone = planLeftovers(all, key, place.tirelessHome);
  return {
    record: recordFor(installation, all),
    files: all,
    undone,
    advice: [...ownLines(own, files, installation), ...setup.advice(place)],
  };
}

/** Files created in a project contain paths of this machine, so git is made to ignore them. A file that existed before stays tracked. */
function excludeEdits(plans: readonly FilePlan[], { host, scope, project }: RecordKey): readonly SettingsEdit[] {
  const file = scope !== 'project' || project === null ? undefined : gitExcludeFile(project);
  const names = plans
    .filter(({ record }) => record?.original === null)
    .flatMap((plan) => (plan.file.startsWith(`${project ?? ''}/`) ? [plan.file.slice(project?.length)] : []));
  if (file === undefined || names.length === 0) return [];
  const why = 'keeps git from committing these files: they contain paths of this machine';
  return [{ kind: 'exclude', file, why, whose: excludeOwner(host, project ?? ''), names }];
}

export function excludeOwner(host: HostId, project: string): string {
  return `${host} in ${oneLine(project, PROJECT_CHARS_MAX)}`;
}

const PROJECT_CHARS_MAX = 500;

/** Leaves out commands that would hide a command of the user, or be hidden by one; a file of the same name is left alone. */
function withoutTaken(
  edits: readonly SettingsEdit[],
  own: readonly OwnCommand[],
  scope: SetupPlace['scope'],
): readonly SettingsEdit[] {
  const taken = own.filter((each) => !isOfProjectOnly(each, scope));
  return edits.filter(
    (edit) =>
      edit.kind !== 'own-file' ||
      !taken.some(({ name, file }) => edit.instead?.name === name && path.normalize(edit.file) !== file),
  );
}

/** If the user has a command of the same name, all our commands also get another name. They stay, because another project may need them. */
function otherNames(
  edits: readonly SettingsEdit[],
  plans: readonly FilePlan[],
  own: readonly OwnCommand[],
  { key, home }: { readonly key: RecordKey; readonly home: string },
): readonly SettingsEdit[] {
  const others = edits.flatMap((edit) => (edit.kind === 'own-file' ? (edit.instead ?? []) : []));
  const isTaken = plans.some(
    ({ action, edits: [edit] }) => action === 'foreign' && edit?.kind === 'own-file' && edit.instead !== undefined,
  );
  const noted = key.scope === 'user' ? (readRecord(home, key)?.files ?? []) : [];
  const isNoted = noted.some(({ file }) => others.some((each) => each.file === file));
  if (!isTaken && !isNoted && own.length === 0) return [];
  return others.map(({ file, text, typed }) => ({ kind: 'own-file', file, text, why: `adds ${typed}` }));
}

/** The user's commands in files other than ours; the plan of a file reports those in the same file. */
function ownLines(
  own: readonly OwnCommand[],
  plans: readonly FilePlan[],
  { host, scope }: Installation,
): readonly string[] {
  const { commandPrefix } = HOSTS[host].capabilities;
  return own
    .filter(({ file }) => !plans.some((plan) => path.normalize(plan.file) === file && plan.action === 'foreign'))
    .map((each) => {
      const called = `${commandPrefix}${each.name}`;
      const other = `Ours is called ${commandPrefix}${OTHER_NAME}${each.name}`;
      return isOfProjectOnly(each, scope)
        ? `${called} is this project's own command (${each.file}) and stays yours. ${other} here.`
        : `${called} is your own command (${each.file}) and stays yours. ${other}; rename yours and run the same command again if you want the short name.`;
    });
}

export function planEdits(
  edits: readonly SettingsEdit[],
  key: RecordKey,
  place: SetupPlace,
  earlier: readonly HostPlan[] = [],
): readonly FilePlan[] {
  const home = place.tirelessHome;
  const noted = readRecord(home, key)?.files ?? [];
  const isOurs = ourEntryTest(key, home);
  const others = otherPuts(home, key);
  const names = [...new Set(edits.map(({ file }) => file))];
  const plans = names.map((file) =>
    planFile(
      edits.filter((edit) => edit.file === file),
      {
        noted: noted.find((each) => each.file === file),
        others: others.filter((each) => each.file === file).flatMap(({ puts }) => puts.map(({ value }) => value)),
        isOurs,
        pending: earlier.flatMap(({ files }) => files).findLast((each) => each.file === file)?.after,
      },
    ),
  );
  if (HOSTS[key.host].install.strictJson === true) for (const plan of plans) refuseUnreadBy(key.host, plan);
  return plans;
}

/** Hooks in a file that its host ignores would never run, and nothing would report it. */
function refuseUnreadBy(host: HostId, { file, edits, after }: FilePlan): void {
  if (after === null || edits[0]?.kind !== 'json' || isStrictJson(textOf(file, after))) return;
  throw new Fault(
    'SETTINGS_INVALID',
    `Cannot install into ${file}: it contains comments or trailing commas, and ${HOSTS[host].capabilities.title} ignores such a file, with every hook in it. Remove them and run the same command again; nothing was written.`,
  );
}

/** Files in the earlier record that are in none of these plans. */
export function planLeftovers(plans: readonly FilePlan[], key: RecordKey, home: string): readonly UndoPlan[] {
  const noted = readRecord(home, key)?.files ?? [];
  return noted
    .filter((each) => !plans.some((plan) => plan.file === each.file) && !isSharedGuard(each, home, [key]))
    .map((each) => planUndo(each, ourEntryTest(key, home)));
}

/** Recognises our entries by their text: for leftovers of an older version, and for a lost record. */
export function ourEntryTest({ host }: Pick<RecordKey, 'host'>, home: string): (value: unknown) => boolean {
  return (value) => callsIn(value).some((call) => isOurCall(call, host, home));
}

function otherPuts(home: string, { host, scope, project }: RecordKey): readonly FileRecord[] {
  return allRecords(home)
    .filter((each) => each.host === host && !(each.scope === scope && (scope === 'user' || each.project === project)))
    .flatMap(({ files }) => files);
}

/** Reads a settings file as it will be after the plan, because the edit of one file may depend on the planned content of another. */
export function settingsAfter(files: readonly FilePlan[]): (file: string) => unknown {
  return (file) => {
    const after = files.find((plan) => plan.file === file)?.after;
    return after === null || after === undefined ? undefined : valueIn({ file, text: textOf(file, after) });
  };
}

function recordFor(
  { host, scope, project, native, dialects, onDemand, trust, iterationTimeoutMs, hookWords = {} }: Installation,
  files: readonly FilePlan[],
): InstallRecord {
  return {
    version: 1,
    host,
    scope,
    project: scope === 'user' ? null : project,
    native,
    dialects,
    onDemand,
    trust,
    ...(iterationTimeoutMs === undefined ? {} : { iterationTimeoutMs }),
    ...(Object.keys(hookWords).length === 0 ? {} : { hookWords }),
    files: files.flatMap(({ record }) => record ?? []),
  };
}
