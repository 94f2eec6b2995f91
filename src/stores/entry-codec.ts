/**
 * Entries as lines of at most 32 KB. A longer string, or anything else that does not fit, is moved to a blob and replaced by
 * `{"$blob": hash, "bytes": n}`. A user's own key that looks like that gets one more `$`, so the two cannot be confused.
 */
import { assert } from '../core/fault.ts';
import type { Entry } from '../core/journal.ts';
import { parseEntry } from '../core/journal.ts';
import { completeEntry } from '../core/older-shapes.ts';
import { LIKE_REF_KEY, REF_KEY, STRING_BYTES_MAX } from './blobs.ts';
import type { EncodedEntry } from './deflate-entry.ts';
import { deflateEntry } from './deflate-entry.ts';

/** Occurs in every line with a reference or an escaped key, and in few others. */
const HINT = '$blob"';

/** `writer` makes every line unique: if two entries are equal, each writer can recognise its own. */
export type WrittenEntry = Entry & { readonly writer: string };

export function encodeEntry(entry: WrittenEntry): EncodedEntry {
  const plain = JSON.stringify(entry);
  if (plain.length <= STRING_BYTES_MAX && !plain.includes(HINT)) return { line: plain, blobs: [] };
  return deflateEntry(plain);
}

/** `undefined` = torn. Parses only the outline and reads no blob: first the chain decides whether the line counts. */
export function decodeLine(
  line: Uint8Array,
  file: string,
): { readonly entry: Entry; readonly hasBlobs: boolean } | undefined {
  const text = Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString('utf8');
  const entry = parseEntry(text, file);
  if (entry === undefined) return undefined;
  return { entry, hasBlobs: text.includes(HINT) };
}

/** Puts back what was moved to blobs. `read` returns the text of a blob by its hash, or throws a Fault. */
export function inflateEntry(entry: Entry, file: string, read: (hash: string) => string): Entry {
  const whole = parseEntry(JSON.stringify(inflate(entry, read)), file);
  assert(whole !== undefined, 'an entry is an entry with its blobs put back');
  return completeEntry(whole);
}

function inflate(value: unknown, read: (hash: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => inflate(item, read));
  if (typeof value !== 'object' || value === null) return value;
  if (REF_KEY in value && typeof value[REF_KEY] === 'string') return inflate(JSON.parse(read(value[REF_KEY])), read);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [LIKE_REF_KEY.test(key) ? key.slice(1) : key, inflate(inner, read)]),
  );
}
