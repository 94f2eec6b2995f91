import path from 'node:path';
import { Fault } from '../../core/fault.ts';
import { isLoaderText } from '../../hosts/loader-file.ts';
import type { JsonPut, SettingsEdit } from '../../hosts/setup.ts';
import { sha256 } from '../../system/ids.ts';
import { readBytesIfExists, refuseReadOnly } from '../../system/settings-files.ts';
import { hasBlock, withBlock, withoutBlock } from './block-text.ts';
import { hasExcluded, withExcluded, withoutExcluded } from './exclude-text.ts';
import { hasAll, putInto, takeOut, takeOutFound } from './json-puts.ts';
import { valueIn } from './json-text.ts';
import type { FileRecord } from './install-record.ts';
import { isSameJson } from './json-values.ts';
import { refuseOddToml } from './toml-text.ts';

/** The planned change of one file. `null` bytes = no file. */
export type FilePlan = {
  readonly file: string;
  readonly edits: readonly SettingsEdit[];
  readonly action: 'new' | 'changed' | 'same' | 'foreign';
  readonly before: Uint8Array | null;
  readonly after: Uint8Array | null;
  /** The record once it is written; `null` = the file is not ours. */
  readonly record: FileRecord | null;
  readonly notes: readonly string[];
};

export type PlanContext = {
  /** The earlier record of this file. */
  readonly noted: FileRecord | undefined;
  /** Values that our other records have added to it. */
  readonly others: readonly unknown[];
  readonly isOurs: (value: unknown) => boolean;
  /** The content after another plan that is written first; absent = no other plan touches this file. */
  readonly pending?: Uint8Array | null | undefined;
};

/** All edits of one file, together. Reads and computes, writes nothing. Throws a Fault. */
export function planFile(edits: readonly SettingsEdit[], context: PlanContext): FilePlan {
  const [first] = edits;
  if (first === undefined) throw new RangeError('a plan needs an edit');
  const before = context.pending ?? readBytesIfExists(first.file) ?? null;
  if (first.kind === 'own-file') return planOwnFile(first, before, context);
  const text = before === null ? '' : textOf(first.file, before);
  if (first.kind === 'exclude') return planExclude(first, { before, text }, context);
  return first.kind === 'block'
    ? planBlock(first, { before, text }, context)
    : planJson(edits, { before, text }, context);
}

/** Tests the planned files before anything is written. Throws a Fault. */
export function refuseReadOnlyIn(plans: readonly FilePlan[]): void {
  for (const { file, edits, action } of plans)
    if (action === 'changed' && edits[0]?.kind !== 'own-file') refuseReadOnly(file);
}

type Found = { readonly before: Uint8Array | null; readonly text: string };

function planJson(edits: readonly SettingsEdit[], { before, text }: Found, context: PlanContext): FilePlan {
  const { noted, others, isOurs } = context;
  const file = edits[0]?.file ?? '';
  const puts = edits.flatMap((edit) => (edit.kind === 'json' ? edit.puts : []));
  const known = [...puts.map(({ value }) => value), ...others];
  const isStale = (value: unknown): boolean => isOurs(value) && !known.some((each) => isSameJson(each, value));
  const isDone = before !== null && hasAll({ file, text }, puts, isStale);
  if (isDone && noted !== undefined)
    return { file, edits, action: 'same', before, after: before, record: noted, notes: [] };
  const base = withoutOurs({ file, text, before }, { ...context, isOurs: isStale }, puts);
  const { text: next, done } = putInto({ file, text: base ?? '' }, puts);
  const after = isDone && before !== null ? before : bytesOf(next);
  const action = isDone ? 'same' : before === null ? 'new' : 'changed';
  return {
    file,
    edits,
    action,
    before,
    after,
    record: recordOf('json', { file, original: base === null ? null : bytesOf(base), after, puts: done, noted }),
    notes: [],
  };
}

/** The file without our entries; `null` = it would not exist. */
function withoutOurs(
  { file, text, before }: Found & { readonly file: string },
  { noted, isOurs }: PlanContext,
  puts: readonly JsonPut[],
): string | null {
  if (before === null) return null;
  if (noted !== undefined) return undoJson({ file, text, before }, noted, isOurs).text;
  const found = takeOutFound({ file, text }, isOurs);
  // The record is lost: anything with exactly the value that we would set counts as ours too.
  return found === text ? text : withoutUnrecorded({ file, text }, puts, isOurs);
}

/** Without entries that are ours by their text, or have exactly the value that we would set: without a record there is nothing else to go by. */
export function withoutUnrecorded(
  json: { readonly file: string; readonly text: string },
  puts: readonly JsonPut[],
  isOurs: (value: unknown) => boolean,
): string {
  const taken = takeOut(
    json,
    puts.map((put) => ({ ...put, depth: 0, before: null })),
    isOurs,
  );
  return takeOutFound({ ...json, text: taken.text }, isOurs);
}

/** Restored byte for byte if nothing has changed since; otherwise only our entries are removed. */
export function undoJson(
  { file, text, before }: { readonly file: string; readonly text: string; readonly before: Uint8Array },
  noted: FileRecord,
  isOurs: (value: unknown) => boolean,
): { readonly text: string | null; readonly kept: readonly string[] } {
  if (sha256(before) === noted.written) {
    return { text: noted.original === null ? null : textOf(file, fromBase64(noted.original)), kept: [] };
  }
  const { text: rest, kept } = takeOut({ file, text }, noted.puts, isOurs);
  const isEmpty = noted.original === null && isSameJson(valueIn({ file, text: rest }), {}) && !/\/[/*]/u.test(rest);
  return { text: isEmpty ? null : rest, kept };
}

function planBlock(
  edit: SettingsEdit & { readonly kind: 'block' },
  { before, text }: Found,
  { noted }: PlanContext,
): FilePlan {
  const { file } = edit;
  // The table exists, even if somebody added text after it or moved it.
  if (noted !== undefined && hasBlock(text, edit.text))
    return { file, edits: [edit], action: 'same', before, after: before, record: noted, notes: [] };
  const wasOriginal = noted !== undefined && before !== null && sha256(before) === noted.written;
  const base = wasOriginal ? originalText(noted) : before === null ? null : withoutBlock(text);
  const next = withBlock(base ?? '', edit.text);
  refuseOddToml({ file, text: base ?? '' }, next);
  const after = bytesOf(next);
  return {
    file,
    edits: [edit],
    action: before !== null && isEqual(before, after) ? 'same' : before === null ? 'new' : 'changed',
    before,
    after,
    record: recordOf('block', { file, original: base === null ? null : bytesOf(base), after, puts: [], noted }),
    notes: [],
  };
}

function planExclude(
  edit: SettingsEdit & { readonly kind: 'exclude' },
  { before, text }: Found,
  { noted }: PlanContext,
): FilePlan {
  const { file, whose, names } = edit;
  const plan = { file, edits: [edit], before, notes: [] };
  if (noted !== undefined && hasExcluded(text, whose, names))
    return { ...plan, action: 'same', after: before, record: noted };
  const isAsWritten = noted !== undefined && before !== null && sha256(before) === noted.written;
  const base = isAsWritten ? originalText(noted) : before === null ? null : withoutExcluded(text, whose);
  const after = bytesOf(withExcluded(base ?? '', whose, names));
  const original = base === null ? null : bytesOf(base);
  return {
    ...plan,
    action: before === null ? 'new' : isEqual(before, after) ? 'same' : 'changed',
    after,
    record: { ...recordOf('exclude', { file, original, after, puts: [], noted }), whose },
  };
}

function planOwnFile(
  edit: SettingsEdit & { readonly kind: 'own-file' },
  before: Uint8Array | null,
  { noted, isOurs }: PlanContext,
): FilePlan {
  const { file } = edit;
  const after = bytesOf(edit.text);
  const plan = { file, edits: [edit], before, notes: [] };
  const written = recordOf('own-file', { file, original: null, after, puts: [], noted });
  // The last install to be removed also removes the folder of the scripts.
  const record = edit.isGuard === true ? { ...written, isGuard: edit.isGuard, folder: path.dirname(file) } : written;
  if (before === null) return { ...plan, action: 'new', after, record };
  if (isEqual(before, after)) return { ...plan, action: 'same', after, record };
  if (edit.isGuard === true) return { ...plan, action: 'changed', after, record };
  const isOld = noted === undefined ? isOwnText(file, textOf(file, before), isOurs) : sha256(before) === noted.written;
  if (isOld) return { ...plan, action: 'changed', after, record };
  const whose = noted === undefined ? 'does not belong to tireless' : 'you changed it';
  return {
    ...plan,
    action: 'foreign',
    after: before,
    record: noted ?? null,
    notes: [`${file} already exists and ${whose}, so it is kept. ${otherWay(edit)}`],
  };
}

function otherWay({ instead }: SettingsEdit & { readonly kind: 'own-file' }): string {
  return instead === undefined
    ? 'Rename it and run the same command again if you want ours.'
    : `Ours is called ${instead.typed}; rename yours and run the same command again if you want the short name.`;
}

/** Without a record: our file with paths of another version has our mark, or contains a line of ours. */
export function isOwnText(file: string, text: string, isOurs: (value: unknown) => boolean): boolean {
  if (file.endsWith('.json')) return isOurs(valueIn({ file, text }));
  return isLoaderText(text);
}

type Noting = {
  readonly file: string;
  readonly original: Uint8Array | null;
  readonly after: Uint8Array;
  readonly puts: FileRecord['puts'];
  readonly noted: FileRecord | undefined;
};

function recordOf(kind: FileRecord['kind'], { file, original, after, puts, noted }: Noting): FileRecord {
  return {
    file,
    kind,
    original: original === null ? null : Buffer.from(original).toString('base64'),
    written: sha256(after),
    puts,
    folder: noted?.folder ?? null,
  };
}

function originalText({ file, original }: FileRecord): string | null {
  return original === null ? null : textOf(file, fromBase64(original));
}

export function fromBase64(text: string): Uint8Array {
  return Buffer.from(text, 'base64');
}

export function bytesOf(text: string): Uint8Array {
  return Buffer.from(text, 'utf8');
}

export function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.from(one).equals(other);
}

/** Refuses bytes that could not be written back unchanged. */
export function textOf(file: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new Fault(
      'SETTINGS_INVALID',
      `Cannot change ${file}: it is not UTF-8. Save it as UTF-8 and run the same command again; nothing was written.`,
      { cause: error },
    );
  }
}
