import { sha256 } from '../../system/ids.ts';
import { readBytesIfExists, refuseReadOnly } from '../../system/settings-files.ts';
import { withoutBlock } from './block-text.ts';
import { withoutExcluded } from './exclude-text.ts';
import { bytesOf, fromBase64, isEqual, textOf, undoJson } from './file-plan.ts';
import type { FileRecord } from './install-record.ts';

/** How one file is restored. `null` bytes = no file. */
export type UndoPlan = {
  readonly file: string;
  readonly folder: string | null;
  readonly action: 'restored' | 'removed' | 'entries-removed' | 'kept' | 'nothing';
  readonly before: Uint8Array | null;
  readonly after: Uint8Array | null;
  readonly notes: readonly string[];
};

/**
 * Byte for byte if nothing has changed since we wrote it; otherwise only what is ours is removed. Reads and computes, writes nothing. Throws a Fault.
 */
export function planUndo(noted: FileRecord, isOurs: (value: unknown) => boolean): UndoPlan {
  const plan = planFor(noted, isOurs);
  if (noted.kind !== 'own-file' && plan.action !== 'nothing') refuseReadOnly(noted.file);
  return plan;
}

function planFor(noted: FileRecord, isOurs: (value: unknown) => boolean): UndoPlan {
  const { file, folder, original } = noted;
  const before = readBytesIfExists(file) ?? null;
  const plan = { file, folder, before, notes: [] };
  if (before === null) return { ...plan, action: 'nothing', after: null };
  if (sha256(before) === noted.written) {
    const after = original === null ? null : fromBase64(original);
    return { ...plan, after, action: after === null ? 'removed' : 'restored' };
  }
  if (noted.isGuard === true) return { ...plan, after: null, action: 'removed' };
  if (noted.kind === 'own-file') {
    const notes = [`${file} was changed since, so it is kept. Delete it if you do not want it.`];
    return { ...plan, action: 'kept', after: before, notes };
  }
  if (noted.kind === 'exclude') {
    const rest = withoutExcluded(textOf(file, before), noted.whose ?? '');
    return planWith(plan, original === null && rest.trim() === '' ? null : bytesOf(rest));
  }
  return noted.kind === 'block' ? planBlock(plan, before, original) : planEntries(plan, { noted, before, isOurs });
}

type UndoDraft = Omit<UndoPlan, 'action' | 'after'>;

function planBlock(draft: UndoDraft, before: Uint8Array, original: string | null): UndoPlan {
  const rest = withoutBlock(textOf(draft.file, before));
  return planWith(draft, original === null && rest.trim() === '' ? null : bytesOf(rest));
}

function planEntries(
  draft: UndoDraft,
  { noted, before, isOurs }: { noted: FileRecord; before: Uint8Array; isOurs: (value: unknown) => boolean },
): UndoPlan {
  const { file } = draft;
  const { text, kept } = undoJson({ file, text: textOf(file, before), before }, noted, isOurs);
  const notes = kept.map((name) => `${file}: ${name} has a different value than tireless set, so it is kept.`);
  return planWith({ ...draft, notes }, text === null ? null : bytesOf(text));
}

function planWith(draft: UndoDraft, after: Uint8Array | null): UndoPlan {
  if (after === null) return { ...draft, after, action: 'removed' };
  const isSame = draft.before !== null && isEqual(draft.before, after);
  return { ...draft, after, action: isSame ? 'nothing' : 'entries-removed' };
}
