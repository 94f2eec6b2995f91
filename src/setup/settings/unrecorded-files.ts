import type { HostId } from '../../hosts/ids.ts';
import type { SettingsEdit, SetupPlace } from '../../hosts/setup.ts';
import { HOSTS } from '../../hosts/hosts.ts';
import { gitExcludeFile } from '../../system/git-exclude.ts';
import { sha256 } from '../../system/ids.ts';
import type { Program } from '../../system/settings-files.ts';
import { readBytesIfExists, refuseReadOnly } from '../../system/settings-files.ts';
import type { SetupWorld } from '../setup-world.ts';
import { withoutBlock } from './block-text.ts';
import { withoutExcluded } from './exclude-text.ts';
import { bytesOf, isEqual, isOwnText, withoutUnrecorded, textOf } from './file-plan.ts';
import { excludeOwner, ourEntryTest, planEdits, settingsAfter } from './host-plan.ts';
import { setupPlaceFor } from './installation.ts';
import { valueIn } from './json-text.ts';
import type { RecordKey } from './install-record.ts';
import { allRecords } from './install-record.ts';
import { isSameJson } from './json-values.ts';
import type { UndoPlan } from './undo-plan.ts';

type SearchScope = {
  readonly flags: { readonly user: boolean; readonly project: boolean };
  readonly project: string;
  readonly program: Program;
};

/** Searches the files that an install would write for entries that are ours by their text. Our own files count only if they are as we write them. */
export function findUnrecordedFiles(
  host: HostId,
  { flags, project, program }: SearchScope,
  world: SetupWorld,
): readonly UndoPlan[] {
  const scopes = flags.user
    ? (['user'] as const)
    : flags.project
      ? (['project'] as const)
      : (['user', 'project'] as const);
  const home = world.services.home();
  const isOurs = ourEntryTest({ host }, home);
  return scopes.flatMap((scope) => {
    const installation = { host, scope, project, native: true, dialects: [], onDemand: false, trust: true };
    const place = setupPlaceFor(installation, world, program);
    const inUse = new Set(allRecords(home).flatMap(({ files }) => files.map(({ file }) => file)));
    const guards = place.guards.filter(({ file }) => !inUse.has(file));
    const edits = [
      ...HOSTS[host].install.edits(place),
      ...trustEdits({ host, scope, project }, place),
      // After the lines that read them.
      ...guards,
      ...lostExclude({ host, scope, project }),
    ];
    const files = [...new Set(edits.map(({ file }) => file))];
    return files.flatMap((file) =>
      unrecordedIn(
        edits.filter((edit) => edit.file === file),
        isOurs,
      ),
    );
  });
}

/** The listed names do not matter: the block is recognised by its owner. */
function lostExclude({ host, scope, project }: RecordKey): readonly SettingsEdit[] {
  const file = scope !== 'project' || project === null ? undefined : gitExcludeFile(project);
  return file === undefined
    ? []
    : [{ kind: 'exclude', file, why: '', whose: excludeOwner(host, project ?? ''), names: [] }];
}

/** The edits that would be written for hooks in our usual place. */
function trustEdits(key: RecordKey, place: SetupPlace): readonly SettingsEdit[] {
  const { edits, trust } = HOSTS[key.host].install;
  if (trust === undefined) return [];
  const files = planEdits(edits(place), key, place);
  return trust(place, { settingsIn: settingsAfter(files), sha256: (text) => sha256(text) });
}

function unrecordedIn(edits: readonly SettingsEdit[], isOurs: (value: unknown) => boolean): readonly UndoPlan[] {
  const [edit] = edits;
  const before = edit === undefined ? undefined : readBytesIfExists(edit.file);
  if (edit === undefined || before === undefined) return [];
  const { file } = edit;
  const undone = { file, folder: null, before, notes: [] };
  if (edit.kind === 'own-file')
    return edit.isGuard === true || isEqual(before, bytesOf(edit.text)) || isOwnText(file, textOf(file, before), isOurs)
      ? [{ ...undone, action: 'removed', after: null }]
      : [];
  const text = textOf(file, before);
  if (edit.kind === 'exclude') {
    const rest = withoutExcluded(text, edit.whose);
    return rest === text ? [] : [{ ...undone, action: 'entries-removed', after: bytesOf(rest) }];
  }
  const puts = edits.flatMap((each) => (each.kind === 'json' ? each.puts : []));
  const rest = edit.kind === 'block' ? withoutBlock(text) : withoutUnrecorded({ file, text }, puts, isOurs);
  if (rest === text) return [];
  refuseReadOnly(file);
  const isEmpty =
    edit.kind === 'block' ? rest.trim() === '' : isSameJson(valueIn({ file, text: rest }), {}) && !/\/[/*]/u.test(rest);
  return [{ ...undone, action: isEmpty ? 'removed' : 'entries-removed', after: isEmpty ? null : bytesOf(rest) }];
}
