/** `undefined` = not JSON: cut off, half-written, or plain text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // The caller knows what that means for its file or line.
  }
}

/** Windows editors begin files with a byte order mark, which no pattern or JSON parser expects. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}
