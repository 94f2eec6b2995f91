import { parseJson, withoutByteOrderMark } from '../core/parse-json.ts';
import type { JSONPath, ParseError } from 'jsonc-parser';
import { applyEdits, modify, parse, parseTree, printParseErrorCode } from 'jsonc-parser';

/** The value of a JSON file, or `undefined` if it is not JSON. Never throws. */
export function readJson(text: string): unknown {
  return parseJson(withoutByteOrderMark(text));
}

/** Why a text is not a JSON object, with the line number. */
export function jsonFault(text: string): string {
  const inner = withoutByteOrderMark(text);
  if (inner.trim() === '') return 'it is empty';
  const errors: ParseError[] = [];
  parse(inner, errors, { disallowComments: true, allowTrailingComma: false });
  const [error] = errors;
  if (error === undefined) return 'it is not a JSON object';
  const line = inner.slice(0, error.offset).split('\n').length;
  const words = printParseErrorCode(error.error)
    .replaceAll(/(?<=[a-z])(?=[A-Z])/gu, ' ')
    .toLowerCase();
  return `line ${line} is not JSON: ${words}`;
}

/** The text with some values set in place: order, indentation, line ends and unknown keys survive. */
export function setValues(
  text: string,
  changes: readonly { readonly path: JSONPath; readonly value: unknown }[],
): string {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  let inner = text.slice(mark.length);
  if (parseTree(inner) === undefined) return text;
  const formattingOptions = {
    insertSpaces: !/^\t/mu.test(inner),
    tabSize: indentOf(inner),
    eol: inner.includes('\r\n') ? '\r\n' : '\n',
  };
  // The library reformats every line that it touches: a file on one line would be split into many.
  const options = inner.trim().includes('\n') ? { formattingOptions } : {};
  for (const { path, value } of changes) inner = applyEdits(inner, modify(inner, [...path], value, options));
  return `${mark}${inner}`;
}

function indentOf(text: string): number {
  return /^( +)\S/mu.exec(text)?.[1]?.length ?? 2;
}

/** A new file, formatted for people. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

type WithoutAbsent<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The fields without those that are `undefined`: JSON has no such value. */
export function withoutAbsent<T extends object>(fields: T): WithoutAbsent<T> {
  // Nothing else is removed, which the type system cannot see.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as WithoutAbsent<T>;
}
