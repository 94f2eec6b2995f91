/** The line number of the value at a path in a JSON text, for a message. The text has been parsed before, so it is valid JSON. */
export function lineOf(text: string, path: readonly PropertyKey[]): number {
  return lineAt(text, offsetOf(text, path));
}

export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** For a missing key, the start of its object. */
function offsetOf(text: string, path: readonly PropertyKey[]): number {
  let at = skipSpace(text, 0);
  for (const part of path) {
    const next = text[at] === '{' ? offsetOfKey(text, at, String(part)) : offsetOfItem(text, at, Number(part));
    if (next === undefined) return at;
    at = next.value;
    if (part === path.at(-1)) return next.start;
  }
  return at;
}

type KeyOffset = { readonly start: number; readonly value: number };

function offsetOfKey(text: string, open: number, key: string): KeyOffset | undefined {
  for (let at = skipSpace(text, open + 1); text[at] === '"';) {
    const end = endOfString(text, at);
    const value = skipSpace(text, skipSpace(text, end) + 1);
    if (JSON.parse(text.slice(at, end)) === key) return { start: at, value };
    at = skipSpace(text, skipSpace(text, endOfValue(text, value)) + 1);
  }
  return undefined;
}

function offsetOfItem(text: string, open: number, index: number): KeyOffset | undefined {
  if (text[open] !== '[') return undefined;
  let at = skipSpace(text, open + 1);
  for (let count = 0; text[at] !== ']' && at < text.length; count++) {
    if (count === index) return { start: at, value: at };
    at = skipSpace(text, skipSpace(text, endOfValue(text, at)) + 1);
  }
  return undefined;
}

function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length;) {
    const char = text[at] ?? '';
    if (char === '"') at = endOfString(text, at);
    else {
      if ('{['.includes(char)) depth += 1;
      if ('}]'.includes(char)) depth -= 1;
      if (depth < 0 || (depth === 0 && char === ',')) return at;
      at += 1;
    }
    if (depth === 0 && '"}]'.includes(char)) return at;
  }
  return text.length;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \t\r\n'.includes(text[at] ?? '')) at += 1;
  return at;
}
