import type { HostId } from '../../hosts/host.ts';
import type { SettingsEdit } from '../../hosts/setup.ts';
import { SETUPS } from '../../hosts/setups.ts';
import type { Program } from '../../system/settings-files.ts';
import { readBytesIfExists } from '../../system/settings-files.ts';
import type { World } from '../services.ts';
import { withoutBlock } from './block-text.ts';
import { bytesOf, isEqual, lostJson, textOf } from './file-plan.ts';
import { oursFor } from './host-plan.ts';
import { placeFor } from './place.ts';
import { valueIn } from './json-text.ts';
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
    const edits = SETUPS[host].edits(placeFor(wanted, world, program));
    const files = [...new Set(edits.map(({ file }) => file))];
    return files.flatMap((file) =>
      lostFile(
        edits.filter((edit) => edit.file === file),
        isOurs,
      ),
    );
  });
}

function lostFile(edits: readonly SettingsEdit[], isOurs: (value: unknown) => boolean): readonly Undone[] {
  const [edit] = edits;
  const before = edit === undefined ? undefined : readBytesIfExists(edit.file);
  if (edit === undefined || before === undefined) return [];
  const { file } = edit;
  const undone = { file, folder: null, before, notes: [] };
  if (edit.kind === 'own-file')
    return isEqual(before, bytesOf(edit.text)) ? [{ ...undone, action: 'removed', after: null }] : [];
  const text = textOf(file, before);
  const puts = edits.flatMap((each) => (each.kind === 'json' ? each.puts : []));
  const rest = edit.kind === 'block' ? withoutBlock(text) : lostJson({ file, text }, puts, isOurs);
  if (rest === text) return [];
  const isEmpty = edit.kind === 'json' && isSame(valueIn({ file, text: rest }), {}) && !/\/[/*]/u.test(rest);
  return [{ ...undone, action: isEmpty ? 'removed' : 'entries-removed', after: isEmpty ? null : bytesOf(rest) }];
}
