/**
 * What a TOML text defines, and where it is broken: enough to add tables at its end without making it unreadable. Values are passed over,
 * not understood; a date or a number may still be wrong in it.
 */
export type TomlShape = { readonly defined: readonly TomlName[]; readonly trouble: TomlTrouble | null };

/** `value`: it stands behind an equals sign, so no table of this name can follow. `line` counts from 1. */
type TomlName = {
  readonly path: readonly string[];
  readonly kind: 'table' | 'value';
  readonly line: number;
};

type TomlTrouble = { readonly line: number; readonly what: string };

const SPACE = /[ \t]*/uy;
const BETWEEN = /(?:[ \t\r\n]|#[^\n]*)*/uy;
const BARE = /[\w-]+/uy;
const BASIC = /"(?:[^"\\\n]|\\.)*"/uy;
const LITERAL = /'[^'\n]*'/uy;
const LONG_BASIC = /"""(?:[^\\]|\\[^])*?"""+/uy;
const LONG_LITERAL = /'''[^]*?'''+/uy;
const REST = /[ \t]*(?:#[^\n]*)?(?:\r?\n|$)/uy;
const PLAIN = /[^\s#"'[\]{},]+/uy;
const CLOSING: Readonly<Record<string, string>> = { '[': ']', '{': '}' };

export function tomlShape(text: string): TomlShape {
  const defined: TomlName[] = [];
  const reader = readerOf(text.startsWith('\uFEFF') ? text.slice(1) : text);
  let table: readonly string[] = [];
  for (;;) {
    reader.take(BETWEEN);
    if (reader.isDone()) return { defined, trouble: null };
    const line = reader.line();
    const found = reader.peek() === '[' ? tableIn(reader) : valueIn(reader);
    const name = typeof found === 'string' ? found : reader.take(REST) === null ? 'something is left over' : found;
    if (typeof name === 'string') return { defined, trouble: { line, what: name } };
    if (name.kind === 'table') table = name.path;
    defined.push({ ...name, path: name.kind === 'table' ? name.path : [...table, ...name.path], line });
  }
}

type Reader = {
  /** What the expression finds here, and goes on behind it; `null` = nothing. */
  readonly take: (expression: RegExp) => string | null;
  readonly peek: () => string;
  readonly isDone: () => boolean;
  readonly line: () => number;
};

type Found = Omit<TomlName, 'line'> | string;

function readerOf(text: string): Reader {
  let at = 0;
  return {
    take: (expression) => {
      expression.lastIndex = at;
      const taken = expression.exec(text)?.[0] ?? null;
      at += taken?.length ?? 0;
      return taken;
    },
    peek: () => text.charAt(at),
    isDone: () => at >= text.length,
    line: () => text.slice(0, at).split('\n').length,
  };
}

function tableIn(reader: Reader): Found {
  const open = reader.take(/\[\[?/uy) ?? '';
  const path = keyIn(reader);
  if (path === null) return 'the name of a table is missing';
  return reader.take(open === '[' ? /\]/uy : /\]\]/uy) === null ? 'a bracket is not closed' : { kind: 'table', path };
}

function valueIn(reader: Reader): Found {
  const path = keyIn(reader);
  if (path === null || reader.take(/=/uy) === null) return 'it is no "name = value"';
  reader.take(SPACE);
  const trouble = passValue(reader);
  return trouble ?? { kind: 'value', path };
}

/** `a."b c".'d'` */
function keyIn(reader: Reader): readonly string[] | null {
  const path: string[] = [];
  do {
    reader.take(SPACE);
    const bare = reader.take(BARE);
    const quoted = bare ?? reader.take(BASIC) ?? reader.take(LITERAL);
    if (quoted === null) return null;
    path.push(bare ?? unquoted(quoted));
    reader.take(SPACE);
  } while (reader.take(/\./uy) !== null);
  return path;
}

function unquoted(key: string): string {
  return key.slice(1, -1).replaceAll(/\\(["\\])/gu, '$1');
}

/** Why the value cannot be read, or `null`. Brackets in it may go over several lines. */
function passValue(reader: Reader): string | null {
  const open: string[] = [];
  for (;;) {
    if (open.length > 0) reader.take(BETWEEN);
    const sign = reader.peek();
    const closing = CLOSING[sign];
    if (sign === '') return open.length > 0 ? 'a bracket is not closed' : 'a value is missing';
    if (closing !== undefined) {
      reader.take(/[[{]/uy);
      open.push(closing);
      continue;
    }
    if (open.length > 0 && sign === open.at(-1)) {
      reader.take(/[\]}]/uy);
      open.pop();
    } else if (open.length > 0 && /[,=.]/u.test(sign)) {
      reader.take(/[,=.]/uy);
      continue;
    } else if (passScalar(reader) === null) {
      return sign === '"' || sign === "'" ? 'a text is not closed' : 'a value is missing';
    }
    if (open.length === 0) return null;
  }
}

/** A date may have a space in it. */
function passScalar(reader: Reader): string | null {
  const text = reader.take(LONG_BASIC) ?? reader.take(LONG_LITERAL) ?? reader.take(BASIC) ?? reader.take(LITERAL);
  const plain = text ?? reader.take(PLAIN);
  if (text === null && plain !== null) reader.take(/ (?=\d\d:)\S+/uy);
  return plain;
}
