import type { HostId } from '../../hosts/host.ts';
import type { SettingsEdit, SetupPlace } from '../../hosts/setup.ts';
import { HOSTS } from '../../hosts/hosts.ts';
import { sha256 } from '../../system/ids.ts';
import type { Program } from '../../system/settings-files.ts';
import { readBytesIfExists, refuseReadOnly } from '../../system/settings-files.ts';
import type { World } from '../../cli/services.ts';
import { withoutBlock } from './block-text.ts';
import { bytesOf, isEqual, isOwnText, lostJson, textOf } from './file-plan.ts';
import { oursFor, planEdits, settingsAfter } from './host-plan.ts';
import { placeFor } from './place.ts';
import { valueIn } from './json-text.ts';
import type { RecordKey } from './record.ts';
import { isSame } from './same.ts';
import type { Undone } from './undo-file.ts';

type Lost = {
  readonly flags: { readonly user: boolean; readonly project: boolean };
  readonly project: string;
  readonly program: Program;
};

/** Where an install would write, looked through for what is ours by its text. Files of our own only when they are as we write them. */
export function lostFiles(host: HostId, { flags, project, program }: Lost, world: World): readonly Undone[] {
  const scopes = flags.user
    ? (['user'] as const)
    : flags.project
      ? (['project'] as const)
      : (['user', 'project'] as const);
  const home = world.services.home();
  const isOurs = oursFor({ host }, home);
  return scopes.flatMap((scope) => {
    const wanted = { host, scope, project, native: true, dialects: [], onDemand: false, trust: true };
    const place = placeFor(wanted, world, program);
    const edits = [...HOSTS[host].install.edits(place), ...trustEdits({ host, scope, project }, place)];
    const files = [...new Set(edits.map(({ file }) => file))];
    return files.flatMap((file) =>
      lostFile(
        edits.filter((edit) => edit.file === file),
        isOurs,
      ),
    );
  });
}

/** What would be written for hooks that stand where we put them. */
function trustEdits(key: RecordKey, place: SetupPlace): readonly SettingsEdit[] {
  const { edits, trust } = HOSTS[key.host].install;
  if (trust === undefined) return [];
  const files = planEdits(edits(place), key, place);
  return trust(place, { settingsIn: settingsAfter(files), sha256: (text) => sha256(text) });
}

function lostFile(edits: readonly SettingsEdit[], isOurs: (value: unknown) => boolean): readonly Undone[] {
  const [edit] = edits;
  const before = edit === undefined ? undefined : readBytesIfExists(edit.file);
  if (edit === undefined || before === undefined) return [];
  const { file } = edit;
  const undone = { file, folder: null, before, notes: [] };
  if (edit.kind === 'own-file')
    return isEqual(before, bytesOf(edit.text)) || isOwnText(file, textOf(file, before), isOurs)
      ? [{ ...undone, action: 'removed', after: null }]
      : [];
  const text = textOf(file, before);
  const puts = edits.flatMap((each) => (each.kind === 'json' ? each.puts : []));
  const rest = edit.kind === 'block' ? withoutBlock(text) : lostJson({ file, text }, puts, isOurs);
  if (rest === text) return [];
  refuseReadOnly(file);
  const isEmpty =
    edit.kind === 'block' ? rest.trim() === '' : isSame(valueIn({ file, text: rest }), {}) && !/\/[/*]/u.test(rest);
  return [{ ...undone, action: isEmpty ? 'removed' : 'entries-removed', after: isEmpty ? null : bytesOf(rest) }];
}
