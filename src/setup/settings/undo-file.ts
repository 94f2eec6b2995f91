import { sha256 } from '../../system/ids.ts';
import { readBytesIfExists, refuseReadOnly } from '../../system/settings-files.ts';
import { withoutBlock } from './block-text.ts';
import { bytesOf, fromBase64, isEqual, textOf, undoneJson } from './file-plan.ts';
import type { FileRecord } from './record.ts';

/** How one file comes back. `null` bytes = no file. */
export type Undone = {
  readonly file: string;
  readonly folder: string | null;
  readonly action: 'restored' | 'removed' | 'entries-removed' | 'kept' | 'nothing';
  readonly before: Uint8Array | null;
  readonly after: Uint8Array | null;
  readonly notes: readonly string[];
};

/** Byte for byte if nothing changed since we wrote it; else only what is ours. Reads and computes, writes nothing. Throws a Fault. */
export function undoFile(noted: FileRecord, isOurs: (value: unknown) => boolean): Undone {
  const undone = lookedAt(noted, isOurs);
  if (noted.kind !== 'own-file' && undone.action !== 'nothing') refuseReadOnly(noted.file);
  return undone;
}

function lookedAt(noted: FileRecord, isOurs: (value: unknown) => boolean): Undone {
  const { file, folder, original } = noted;
  const before = readBytesIfExists(file) ?? null;
  const undone = { file, folder, before, notes: [] };
  if (before === null) return { ...undone, action: 'nothing', after: null };
  if (sha256(before) === noted.written) {
    const after = original === null ? null : fromBase64(original);
    return { ...undone, after, action: after === null ? 'removed' : 'restored' };
  }
  if (noted.kind === 'own-file') {
    const notes = [`${file} was changed since: it is yours now and stays. Delete it if you do not want it.`];
    return { ...undone, action: 'kept', after: before, notes };
  }
  return noted.kind === 'block'
    ? undoneBlock(undone, before, original)
    : undoneEntries(undone, { noted, before, isOurs });
}

type Begun = Omit<Undone, 'action' | 'after'>;

function undoneBlock(begun: Begun, before: Uint8Array, original: string | null): Undone {
  const rest = withoutBlock(textOf(begun.file, before));
  return settled(begun, original === null && rest.trim() === '' ? null : bytesOf(rest));
}

function undoneEntries(
  begun: Begun,
  { noted, before, isOurs }: { noted: FileRecord; before: Uint8Array; isOurs: (value: unknown) => boolean },
): Undone {
  const { file } = begun;
  const { text, kept } = undoneJson({ file, text: textOf(file, before), before }, noted, isOurs);
  const notes = kept.map((name) => `${file}: ${name} has another value than tireless set: it stays.`);
  return settled({ ...begun, notes }, text === null ? null : bytesOf(text));
}

function settled(begun: Begun, after: Uint8Array | null): Undone {
  if (after === null) return { ...begun, after, action: 'removed' };
  const isSame = begun.before !== null && isEqual(begun.before, after);
  return { ...begun, after, action: isSame ? 'nothing' : 'entries-removed' };
}
