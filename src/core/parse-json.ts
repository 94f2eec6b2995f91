/** `undefined` = it is not JSON: cut off, half-written, or a sentence. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // The caller says what that means for its file or line.
  }
}

/** Editors on Windows begin a file with a byte order mark, which no pattern and no JSON parser expects. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}
