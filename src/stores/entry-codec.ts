/**
 * Entries as lines of at most 32 KB. A longer string, or whatever else does not fit, leaves for a blob, and
 * `{"$blob": hash, "bytes": n}` stands in its place. A key of the user's own that looks like that gets one more `$`, so the two cannot be confused.
 */
import { assert } from '../core/fault.ts';
import type { Entry } from '../core/journal.ts';
import { parseEntry } from '../core/journal.ts';
import type { Blob } from './blobs.ts';
import { blobOf } from './blobs.ts';

export const ENTRY_BYTES_MAX: number = 32 * 1024;
const STRING_BYTES_MAX = 4096;
/** When many small values make an entry too large, those of its properties that are longer than this leave whole. */
const PROPERTY_BYTES_MAX = 512;

const REF_KEY = '$blob';
const LIKE_REF_KEY = /^\$+blob$/u;
/** In every line with a reference or an escaped key, and in few others. */
const HINT = '$blob"';

export type Encoded = { readonly line: string; readonly blobs: readonly Blob[] };

/** `writer` makes every line unique: of two equal entries, each writer can tell its own. */
export type WrittenEntry = Entry & { readonly writer: string };

export function encodeEntry(entry: WrittenEntry): Encoded {
  const plain = JSON.stringify(entry);
  if (plain.length <= STRING_BYTES_MAX && !plain.includes(HINT)) return { line: plain, blobs: [] };

  const blobs: Blob[] = [];
  const small = deflate(JSON.parse(plain), blobs);
  let line = JSON.stringify(small);
  if (Buffer.byteLength(line) > ENTRY_BYTES_MAX) line = JSON.stringify(deflateProperties(small, blobs));
  assert(Buffer.byteLength(line) <= ENTRY_BYTES_MAX, 'an entry fits into its line');
  return { line, blobs };
}

/** `undefined` = torn. Blobs are not read yet: whether the line counts is decided first. */
export function decodeLine(
  line: Uint8Array,
  file: string,
): { readonly entry: Entry; readonly hasBlobs: boolean } | undefined {
  const text = Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString('utf8');
  const entry = parseEntry(text, file);
  return entry === undefined ? undefined : { entry, hasBlobs: text.includes(HINT) };
}

/** Put back what left for blobs. `read` gives the text of a blob by its hash, or throws a Fault. */
export function inflateEntry(entry: Entry, file: string, read: (hash: string) => string): Entry {
  const whole = parseEntry(JSON.stringify(inflate(entry, read)), file);
  assert(whole !== undefined, 'an entry is an entry with its blobs put back');
  return whole;
}

function deflate(value: unknown, blobs: Blob[]): unknown {
  if (typeof value === 'string') return isLong(value) ? leave(JSON.stringify(value), blobs) : value;
  if (Array.isArray(value)) return value.map((item) => deflate(item, blobs));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [LIKE_REF_KEY.test(key) ? `$${key}` : key, deflate(inner, blobs)]),
  );
}

/** The parts of event, evidence and decision, each a handful of properties. Their kinds are short and stay. */
function deflateProperties(entry: unknown, blobs: Blob[]): unknown {
  return mapValues(entry, (part) =>
    mapValues(part, (value) => {
      const text = JSON.stringify(value);
      return Buffer.byteLength(text) > PROPERTY_BYTES_MAX ? leave(text, blobs) : value;
    }),
  );
}

function mapValues(value: unknown, change: (inner: unknown) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, change(inner)]));
}

function leave(text: string, blobs: Blob[]): unknown {
  const blob = blobOf(text);
  blobs.push(blob);
  return { [REF_KEY]: blob.hash, bytes: blob.bytes };
}

function inflate(value: unknown, read: (hash: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => inflate(item, read));
  if (typeof value !== 'object' || value === null) return value;
  if (REF_KEY in value && typeof value[REF_KEY] === 'string') return inflate(JSON.parse(read(value[REF_KEY])), read);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [LIKE_REF_KEY.test(key) ? key.slice(1) : key, inflate(inner, read)]),
  );
}

function isLong(text: string): boolean {
  return text.length * 3 > STRING_BYTES_MAX && Buffer.byteLength(text) > STRING_BYTES_MAX;
}
