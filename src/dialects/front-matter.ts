import { withoutByteOrderMark } from '../core/parse-json.ts';
import type { YAMLParseError } from 'yaml';
import { isMap, isScalar, LineCounter, parse, parseDocument, visit } from 'yaml';

/** A Markdown file with YAML between two `---` lines. `body` is everything after the second, byte for byte. */
export type FrontMatter = {
  readonly fields: Readonly<Record<string, unknown>>;
  /** The plain values as written: `1.0` is the number 1 in `fields`. */
  readonly sources: Readonly<Record<string, string>>;
  readonly body: string;
};

type Parts = { readonly opening: string; readonly yaml: string; readonly closing: string; readonly body: string };

/** `undefined` = there is none, or it is not a YAML mapping of plain values. Never throws. */
export function readFrontMatter(text: string): FrontMatter | undefined {
  const parts = split(text);
  if (parts === undefined) return undefined;
  const document = parseDocument(parts.yaml, { schema: 'core', prettyErrors: false });
  if (document.errors.length > 0) return undefined;
  const value = plainValue(document);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return { fields: { ...value }, sources: sourcesOf(document.contents), body: parts.body };
}

/** Why `readFrontMatter` cannot read the text, with the line number, so that nobody has to search for the mistake; `null` = it can. */
export function frontMatterFault(text: string): string | null {
  if (withoutByteOrderMark(text).trim() === '') return 'it is empty';
  const parts = split(text);
  if (parts === undefined)
    return OPENING.test(text)
      ? 'line 1: the front matter that begins here has no closing "---"'
      : 'line 1: the file must begin with a line "---"';
  const lines = new LineCounter();
  const document = parseDocument(parts.yaml, { schema: 'core', prettyErrors: false, lineCounter: lines });
  const [error] = document.errors;
  const indented = document.errors.find(({ code }) => code === 'MULTILINE_IMPLICIT_KEY');
  if (error?.code === 'BLOCK_AS_IMPLICIT_KEY' && indented !== undefined)
    return `line ${lines.linePos(indented.pos[1] - 1).line + 1}: its name must begin the line, without spaces before it`;
  if (error !== undefined)
    return `line ${lines.linePos(startOfField(document.contents, error)).line + 1}: ${yamlWords(error)}`;
  const alias = firstAlias(document);
  if (alias !== null) return `line ${lines.linePos(alias).line + 1}: aliases are not read`;
  const value = plainValue(document);
  const isMapping = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isMapping ? null : 'line 2: the front matter must be lines of "name: value"';
}

/** The line number of a field in the file; `null` = the field is missing. */
export function lineOfField(text: string, key: string): number | null {
  const parts = split(text);
  if (parts === undefined) return null;
  const lines = new LineCounter();
  const { contents } = parseDocument(parts.yaml, { schema: 'core', prettyErrors: false, lineCounter: lines });
  if (!isMap(contents)) return null;
  for (const { key: name } of contents.items)
    if (isScalar(name) && name.value === key && name.range !== undefined && name.range !== null)
      return lines.linePos(name.range[0]).line + 1;
  return null;
}

/** The parser notices an unclosed quote or bracket too late: the field began before that. */
function startOfField(contents: unknown, { pos, code }: YAMLParseError): number {
  const [at] = pos;
  if (!isMap(contents) || code === 'TAB_AS_INDENT') return at;
  const starts = contents.items.flatMap(({ key }) => (isScalar(key) ? (key.range?.[0] ?? []) : []));
  return starts.findLast((start) => (code === 'BAD_INDENT' ? start < at : start <= at)) ?? at;
}

function firstAlias(document: ReturnType<typeof parseDocument>): number | null {
  let found: number | null = null;
  visit(document, {
    Alias: (_, { range }) => {
      found = range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  return found;
}

/** Plain words for the two common mistakes; the parser's own message for all others. */
function yamlWords({ code, message }: YAMLParseError): string {
  if (code === 'BLOCK_AS_IMPLICIT_KEY') return 'a value that contains ": " needs quotes around it';
  if (code === 'MISSING_CHAR' && message.includes('quote'))
    return 'a quotation mark is missing at the end of the value';
  return message.replaceAll(/\s+/gu, ' ').trim();
}

function sourcesOf(contents: unknown): Record<string, string> {
  if (!isMap(contents)) return {};
  return Object.fromEntries(
    contents.items.flatMap(({ key, value }) =>
      isScalar(key) && isScalar(value) && value.source !== undefined ? [[String(key.value), value.source]] : [],
    ),
  );
}

/** State files must not contain anchors and aliases, and the library throws on them. */
function plainValue(document: ReturnType<typeof parseDocument>): unknown {
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch {
    return undefined;
  }
}

/**
 * The text with some scalar fields set. An existing field is changed in place, so that comments, order, the quoting of other fields, line
 * ends and unknown fields survive; a new field is appended. A field that already has the value is not touched.
 */
export function setFields(text: string, changes: Readonly<Record<string, string | number | boolean>>): string {
  const parts = split(text);
  if (parts === undefined) return text;
  const lineEnd = parts.yaml.includes('\r\n') || parts.opening.includes('\r\n') ? '\r\n' : '\n';
  let { yaml } = parts;
  for (const [key, value] of Object.entries(changes)) yaml = setField(yaml, key, value, lineEnd);
  return `${parts.opening}${yaml}${parts.closing}${parts.body}`;
}

function setField(yaml: string, key: string, value: string | number | boolean, lineEnd: string): string {
  const document = parseDocument(yaml, { schema: 'core', keepSourceTokens: true, prettyErrors: false });
  const node: unknown = document.errors.length > 0 ? undefined : document.get(key, true);
  if (isScalar(node) && node.value === value) return yaml;
  if (isScalar(node) && node.range !== undefined && node.range !== null) {
    const [start, end] = node.range;
    // An empty value has no space around it, and a block includes its last line end.
    const before = start === end && !/[ \t]$/u.test(yaml.slice(0, start)) ? ' ' : '';
    const after = yaml.slice(start, end).endsWith('\n') ? lineEnd : /^[^\s,}\]]/u.test(yaml.slice(end)) ? ' ' : '';
    const text = node.type === 'PLAIN' && isPlain(value) ? value : quoted(value);
    return `${yaml.slice(0, start)}${before}${text}${after}${yaml.slice(end)}`;
  }
  const before = yaml === '' || yaml.endsWith('\n') ? yaml : `${yaml}${lineEnd}`;
  return `${before}${key}: ${quoted(value)}${lineEnd}`;
}

/** Does a text mean the same without quotes? `1e3` would be a number. If so, the field's style is kept: some tools treat quotes as part of the value. */
export function isPlain(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9][\w-]*$/u.test(value) && parse(value, { schema: 'core' }) === value;
}

/** Every JSON string is a valid YAML string. */
function quoted(value: string | number | boolean): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

const OPENING = /^\uFEFF?---[ \t]*\r?\n/u;

/** Only a `---` on the very first line opens, and only the next line that is exactly `---` closes: the body may contain any number of them. */
function split(text: string): Parts | undefined {
  const opening = OPENING.exec(text)?.[0];
  if (opening === undefined) return undefined;
  const closing = /^---[ \t]*(?:\r?\n|$)/mu.exec(text.slice(opening.length));
  if (closing === null) return undefined;
  const yamlEnd = opening.length + closing.index;
  const bodyStart = yamlEnd + closing[0].length;
  return { opening, yaml: text.slice(opening.length, yamlEnd), closing: closing[0], body: text.slice(bodyStart) };
}
