import { withoutByteOrderMark } from '../../core/parse-json.ts';
import type { Edit, Node, ParseError } from 'jsonc-parser';
import { applyEdits, getNodeValue, parseTree, printParseErrorCode } from 'jsonc-parser';
import { Fault } from '../../core/fault.ts';

/**
 * Edits one place in a JSON text that somebody else wrote, including its comments. Every byte that is not ours stays: the parser's `modify`
 * reformats the whole line it touches (in a one-line file, everything) and swallows the comment before anything it removes.
 */
export type JsonFile = { readonly file: string; readonly text: string };

const BOM = '\uFEFF';
const DEFAULT_INDENT = '  ';

/** The value of the whole file; an empty one is an empty object. Throws `SETTINGS_INVALID`. */
export function valueIn(json: JsonFile): unknown {
  return isBlank(json.text) ? {} : getNodeValue(rootOf(json));
}

/** The value at a path; `undefined` = there is none. If a key occurs twice, the last one counts, as in every JSON parser. */
export function nodeAt(json: JsonFile, path: readonly string[]): Node | undefined {
  if (isBlank(json.text)) return undefined;
  let node: Node | undefined = rootOf(json);
  for (const key of path) node = node === undefined ? undefined : propertyOf(node, key)?.children?.[1];
  return node;
}

export function rawAt(json: JsonFile, node: Node): string {
  const from = node.offset + bomOf(json.text);
  return json.text.slice(from, from + node.length);
}

/** Puts a key into the object at `path`, which must exist. */
export function withProperty(json: JsonFile, path: readonly string[], key: string, value: unknown): string {
  const begun = isBlank(json.text) ? { ...json, text: `${json.text.startsWith(BOM) ? BOM : ''}{}\n` } : json;
  const parent = nodeAt(begun, path);
  if (parent?.type !== 'object') throw invalidAt(begun, parent, `${where(path)} is not an object`);
  return withChild(begun, parent, (indent) => `${JSON.stringify(key)}: ${printed(value, indent)}`);
}

/** Puts a value at the end of the array at `path`, which must exist. */
export function withItem(json: JsonFile, path: readonly string[], value: unknown): string {
  const parent = nodeAt(json, path);
  if (parent?.type !== 'array') throw invalidAt(json, parent, `${where(path)} is not a list`);
  return withChild(json, parent, (indent) => printed(value, indent));
}

export function withRaw(json: JsonFile, node: Node, raw: string): string {
  return edited(json, [{ offset: node.offset, length: node.length, content: raw }]);
}

export function withValue(json: JsonFile, node: Node, value: unknown): string {
  return withRaw(json, node, printed(value, layoutOf(json.text, node).indent));
}

/** Removes one item of an array, or one property (the node of the property, not of its value), and its comma. */
export function withoutChild(json: JsonFile, child: Node): string {
  const text = json.text.slice(bomOf(json.text));
  const [start, end] = [child.offset, child.offset + child.length];
  const after = nextToken(text, end);
  const siblings = child.parent?.children ?? [];
  const before = siblings[siblings.indexOf(child) - 1];
  const commas: Edit[] = [];
  let tail = end;
  if (after.char === ',') {
    // If there is only white space in between, both are removed in one piece.
    if (text.slice(end, after.offset).trim() === '') tail = after.offset + 1;
    else commas.push({ offset: after.offset, length: 1, content: '' });
  } else if (before !== undefined) {
    const comma = nextToken(text, before.offset + before.length);
    if (comma.char === ',') commas.push({ offset: comma.offset, length: 1, content: '' });
  }
  const line = lineAround(text, start, tail);
  return edited(json, [...commas, { offset: line.start, length: line.end - line.start, content: '' }]);
}

/** The line number, counted from 1. */
function lineOf(json: JsonFile, offset: number): number {
  return json.text.slice(0, offset + bomOf(json.text)).split(/\r\n|\r|\n/u).length;
}

export function propertyOf(node: Node, key: string): Node | undefined {
  return node.type === 'object' ? node.children?.findLast((each) => each.children?.[0]?.value === key) : undefined;
}

export function invalidAt(json: JsonFile, node: Node | undefined, why: string): Fault {
  const line = node === undefined ? 1 : lineOf(json, node.offset);
  return new Fault(
    'SETTINGS_INVALID',
    `Cannot change ${json.file}: ${why} (line ${line}). Correct the file and run the same command again; nothing was written.`,
  );
}

function rootOf(json: JsonFile): Node {
  const errors: ParseError[] = [];
  const root = parseTree(json.text.slice(bomOf(json.text)), errors, { allowTrailingComma: true });
  const [error] = errors;
  if (root === undefined || error !== undefined) {
    const line = lineOf(json, error?.offset ?? 0);
    const what = error === undefined ? 'it is empty' : words(printParseErrorCode(error.error));
    throw new Fault(
      'SETTINGS_INVALID',
      `Cannot change ${json.file}: line ${line} is not valid JSON (${what}). Correct the file and run the same command again; nothing was written.`,
    );
  }
  if (root.type !== 'object') throw invalidAt(json, root, 'the file is not an object');
  return root;
}

function withChild(json: JsonFile, parent: Node, print: (indent: string | null) => string): string {
  const text = json.text.slice(bomOf(json.text));
  const { indent, eol, base } = layoutOf(json.text, parent);
  const last = parent.children?.at(-1);
  const lead = indent === null ? ' ' : `${eol}${indent}`;
  if (last === undefined) {
    const open = parent.offset + 1;
    const hasLines = /[\r\n]/u.test(text.slice(open, parent.offset + parent.length - 1));
    const content = indent === null ? print(null) : `${lead}${print(indent)}${hasLines ? '' : `${eol}${base}`}`;
    return edited(json, [{ offset: open, length: 0, content }]);
  }
  const end = last.offset + last.length;
  const comma = nextToken(text, end);
  const hasComma = comma.char === ',';
  // After a comment at the end of the line, which belongs to the text before it.
  const from = hasComma ? comma.offset + 1 : end;
  const comment = /^[ \t]*(?:\/\/[^\r\n]*|(?:\/\*(?:(?!\*\/)[^\r\n])*\*\/)[ \t]*(?=[\r\n]))/u.exec(
    text.slice(from),
  )?.[0];
  const at = indent === null ? from : from + (comment?.length ?? 0);
  return edited(json, [
    ...(hasComma ? [] : [{ offset: end, length: 0, content: ',' }]),
    { offset: at, length: 0, content: `${lead}${print(indent)}${hasComma ? ',' : ''}` },
  ]);
}

/** How its children are laid out. `indent`: that of a child's line; `null` = everything is on one line. */
function layoutOf(whole: string, parent: Node): { indent: string | null; eol: string; base: string } {
  const text = whole.slice(bomOf(whole));
  const eol = /\r\n|\n|\r/u.exec(text)?.[0] ?? '\n';
  const base = /^[ \t]*/u.exec(text.slice(lineStart(text, parent.offset)))?.[0] ?? '';
  const first = parent.children?.[0];
  if (first !== undefined) {
    const start = lineStart(text, first.offset);
    const isOwnLine = start > parent.offset && text.slice(start, first.offset).trim() === '';
    return { indent: isOwnLine ? text.slice(start, first.offset) : null, eol, base };
  }
  const isOneLine = parent.parent !== undefined && !/[\r\n]/u.test(text.trim());
  return { indent: isOneLine ? null : `${base}${indentOf(text)}`, eol, base };
}

/** The first indentation in the text. */
function indentOf(text: string): string {
  return /[[{][ \t]*(?:\r\n|\n|\r)([ \t]+)\S/u.exec(text)?.[1] ?? DEFAULT_INDENT;
}

/** Indented in the file's own steps, except for the first line. The steps inside are ours: two spaces, or tabs in a file with tabs. */
function printed(value: unknown, indent: string | null): string {
  if (indent === null) return JSON.stringify(value);
  const step = indent.includes('\t') ? '\t' : DEFAULT_INDENT;
  return JSON.stringify(value, undefined, step).replaceAll('\n', `\n${indent}`);
}

/** With the line endings of the file: the printed text has plain ones. */
function edited(json: JsonFile, edits: readonly Edit[]): string {
  const bom = bomOf(json.text);
  const text = json.text.slice(bom);
  const eol = /\r\n|\n|\r/u.exec(text)?.[0] ?? '\n';
  const own = edits.map((edit) => ({ ...edit, content: edit.content.replaceAll(/\r\n|\n/gu, eol) }));
  return `${json.text.slice(0, bom)}${applyEdits(text, [...own])}`;
}

/** The next character after white space and comments. */
function nextToken(text: string, offset: number): { readonly char: string; readonly offset: number } {
  const skip = /(?:\s|\/\/[^\r\n]*|\/\*[^]*?\*\/)*/uy;
  skip.lastIndex = offset;
  const at = offset + (skip.exec(text)?.[0].length ?? 0);
  return { char: text.charAt(at), offset: at };
}

/** The whole line if nothing else is on it, otherwise the given range and the space before it. */
function lineAround(text: string, start: number, end: number): { readonly start: number; readonly end: number } {
  const from = lineStart(text, start);
  const rest = /^[ \t]*(?:\r\n|\n|\r|$)/u.exec(text.slice(end))?.[0];
  const isAlone = text.slice(from, start).trim() === '';
  if (isAlone && rest !== undefined) return { start: from, end: end + rest.length };
  const space = /[ \t]*$/u.exec(text.slice(0, start))?.[0].length ?? 0;
  return { start: isAlone ? start : start - space, end };
}

function lineStart(text: string, offset: number): number {
  return Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
}

function bomOf(text: string): number {
  return text.startsWith(BOM) ? 1 : 0;
}

function isBlank(text: string): boolean {
  return text.slice(bomOf(text)).trim() === '';
}

function where(path: readonly string[]): string {
  return path.length === 0 ? 'the file' : `"${path.join('.')}"`;
}

/** `CloseBraceExpected` -> `close brace expected`. */
function words(code: string): string {
  return code.replaceAll(/(?<=[a-z])(?=[A-Z])/gu, ' ').toLowerCase();
}

/** No comments and trailing commas, which some hosts do not accept. */
export function isStrictJson(text: string): boolean {
  try {
    JSON.parse(withoutByteOrderMark(text));
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
