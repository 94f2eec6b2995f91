/**
 * Bytes as text, by the very methods that `toString` ends in. On the way there it compiles a table of all encodings, which costs a hook as
 * much as a file; where a Node has no such methods, `toString` it is.
 */
type Sliced = Buffer & { readonly [Name in 'utf8Slice' | 'latin1Slice']?: (start: number, end: number) => string };

export function utf8Of(bytes: Buffer, end: number): string {
  const sliced: Sliced = bytes;
  return sliced.utf8Slice?.(0, end) ?? bytes.toString('utf8', 0, end);
}

/** A letter for each byte. */
export function latin1Of(bytes: Buffer, end: number): string {
  const sliced: Sliced = bytes;
  return sliced.latin1Slice?.(0, end) ?? bytes.toString('latin1', 0, end);
}

/** The other way: text that was read with a letter for each byte. Nearly all of it is plain. */
export function utf8Line(latin1: string): string {
  // oxlint-disable-next-line no-control-regex
  return /^[\0-\x7f]*$/.test(latin1) ? latin1 : Buffer.from(latin1, 'latin1').toString('utf8');
}
