import { assert } from '../core/fault.ts';
import type { Blob } from './blobs.ts';
import { blobOf, LIKE_REF_KEY, REF_KEY, STRING_BYTES_MAX } from './blobs.ts';

export const ENTRY_BYTES_MAX: number = 32 * 1024;
/** If many small values make an entry too large, properties longer than this are moved out whole. */
const PROPERTY_BYTES_MAX = 512;

export type EncodedEntry = { readonly line: string; readonly blobs: readonly Blob[] };

/** `plain`: the JSON of an entry that is long or has a key like ours. */
export function deflateEntry(plain: string): EncodedEntry {
  const blobs: Blob[] = [];
  const small = deflate(JSON.parse(plain), blobs);
  let line = JSON.stringify(small);
  if (Buffer.byteLength(line) > ENTRY_BYTES_MAX) line = JSON.stringify(deflateProperties(small, blobs));
  assert(Buffer.byteLength(line) <= ENTRY_BYTES_MAX, 'an entry fits into its line');
  return { line, blobs };
}

function deflate(value: unknown, blobs: Blob[]): unknown {
  if (typeof value === 'string') return isLong(value) ? leave(JSON.stringify(value), blobs) : value;
  if (Array.isArray(value)) return value.map((item) => deflate(item, blobs));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [LIKE_REF_KEY.test(key) ? `$${key}` : key, deflate(inner, blobs)]),
  );
}

/** Handles the properties of event, evidence and decision. Their kinds are short and stay in the line. */
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

function isLong(text: string): boolean {
  return text.length * 3 > STRING_BYTES_MAX && Buffer.byteLength(text) > STRING_BYTES_MAX;
}
