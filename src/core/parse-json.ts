/** `undefined` = it is not JSON: cut off, half-written, or a sentence. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // The caller says what that means for its file or line.
  }
}
