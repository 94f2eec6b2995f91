import type { SettingsEdit, SetupPlace } from '../../hosts/setup.ts';
import { HOSTS } from '../../hosts/hosts.ts';
import { sha256 } from '../../system/ids.ts';
import type { FilePlan } from './file-plan.ts';
import { planFile, refuseReadOnlyIn, textOf } from './file-plan.ts';
import { valueIn } from './json-text.ts';
import type { Wanted } from './place.ts';
import type { FileRecord, InstallRecord, RecordKey } from './record.ts';
import { callsIn, isOurCall } from './our-calls.ts';
import { allRecords, readRecord } from './record.ts';
import type { Undone } from './undo-file.ts';
import { undoFile } from './undo-file.ts';

/** Everything that is going to happen for one host. Nothing is written yet. */
export type HostPlan = {
  readonly record: InstallRecord;
  readonly files: readonly FilePlan[];
  /** What an older version wrote and this one does not. */
  readonly undone: readonly Undone[];
  readonly advice: readonly string[];
};

export function planHost(wanted: Wanted, place: SetupPlace): HostPlan {
  const setup = HOSTS[wanted.host].install;
  const key: RecordKey = { host: wanted.host, scope: wanted.scope, project: wanted.project };
  const files = planEdits(setup.edits(place), key, place);
  const trusted =
    wanted.trust && setup.trust !== undefined
      ? setup.trust(place, { settingsIn: settingsAfter(files), sha256: (text) => sha256(text) })
      : [];
  const more = trusted.length === 0 ? [] : planEdits(trusted, key, place);
  const all = [...files, ...more];
  refuseReadOnlyIn(all);
  const undone = leftOver(all, key, place.tirelessHome);
  return { record: recordFor(wanted, all), files: all, undone, advice: setup.advice(place) };
}

export function planEdits(edits: readonly SettingsEdit[], key: RecordKey, place: SetupPlace): readonly FilePlan[] {
  const home = place.tirelessHome;
  const noted = readRecord(home, key)?.files ?? [];
  const isOurs = oursFor(key, home);
  const others = otherPuts(home, key);
  const names = [...new Set(edits.map(({ file }) => file))];
  return names.map((file) =>
    planFile(
      edits.filter((edit) => edit.file === file),
      {
        noted: noted.find((each) => each.file === file),
        others: others.filter((each) => each.file === file).flatMap(({ puts }) => puts.map(({ value }) => value)),
        isOurs,
      },
    ),
  );
}

/** What was noted before and is in none of these plans. */
export function leftOver(plans: readonly FilePlan[], key: RecordKey, home: string): readonly Undone[] {
  const noted = readRecord(home, key)?.files ?? [];
  return noted
    .filter(({ file }) => !plans.some((plan) => plan.file === file))
    .map((each) => undoFile(each, oursFor(key, home)));
}

/** Whose entry it is, by its text: for what is left of an older version, and for a record that is lost. */
export function oursFor({ host }: Pick<RecordKey, 'host'>, home: string): (value: unknown) => boolean {
  return (value) => callsIn(value).some((call) => isOurCall(call, host, home));
}

function otherPuts(home: string, { host, scope, project }: RecordKey): readonly FileRecord[] {
  return allRecords(home)
    .filter((each) => each.host === host && !(each.scope === scope && (scope === 'user' || each.project === project)))
    .flatMap(({ files }) => files);
}

/** A host that reads one file has to be told of another as it will be. */
export function settingsAfter(files: readonly FilePlan[]): (file: string) => unknown {
  return (file) => {
    const after = files.find((plan) => plan.file === file)?.after;
    return after === null || after === undefined ? undefined : valueIn({ file, text: textOf(file, after) });
  };
}

function recordFor(
  { host, scope, project, native, dialects, onDemand, trust, iterationTimeoutMs }: Wanted,
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
    files: files.flatMap(({ record }) => record ?? []),
  };
}
