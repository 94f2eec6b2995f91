import type { Node } from 'jsonc-parser';
import { getNodeValue } from 'jsonc-parser';
import type { JsonPut } from '../../hosts/setup.ts';
import { isSameJson } from './json-values.ts';
import type { JsonFile } from './json-text.ts';
import {
  invalidAt,
  nodeAt,
  propertyOf,
  rawAt,
  withItem,
  withoutChild,
  withProperty,
  withRaw,
  withValue,
} from './json-text.ts';

/** A put, and what it takes to take it out again. */
export type DonePut = JsonPut & {
  /** How many keys of the path were there before: what is deeper is ours, and goes when it is empty. */
  readonly depth: number;
  /** The text of the value that a `set` replaced; `null` = there was none. */
  readonly before: string | null;
};

export type PutResult = { readonly text: string; readonly done: readonly DonePut[] };

/** Puts every value where it belongs and leaves every other byte alone. Throws `SETTINGS_INVALID`. */
export function putInto(json: JsonFile, puts: readonly JsonPut[]): PutResult {
  let { text } = json;
  const done: DonePut[] = [];
  for (const put of puts) {
    const now = { file: json.file, text };
    const depth = depthOf(now, put.path);
    const node = nodeAt(now, put.path);
    done.push({ ...put, depth, before: put.how === 'set' && node !== undefined ? rawAt(now, node) : null });
    text = put.how === 'set' ? setAt(now, put, depth) : appendAt(now, put, depth);
  }
  return { text, done };
}

/** Takes our values out, last one first. What somebody changed meanwhile is theirs and stays; `kept` names it. */
export function takeOut(
  json: JsonFile,
  done: readonly DonePut[],
  isOurs: (value: unknown) => boolean,
): { readonly text: string; readonly kept: readonly string[] } {
  let { text } = json;
  const kept: string[] = [];
  for (const put of done.toReversed()) {
    const now = { file: json.file, text };
    const node = nodeAt(now, put.path);
    if (node === undefined) continue;
    if (put.how === 'append') {
      const item = itemIn(node, put.value) ?? node.children?.find((each) => isOurs(getNodeValue(each)));
      if (item !== undefined) text = withoutEmpty({ ...now, text: withoutChild(now, item) }, put.path, put.depth);
    } else if (!isSameJson(getNodeValue(node), put.value)) kept.push(put.path.join('.'));
    else if (put.before !== null) text = withRaw(now, node, put.before);
    else
      text = withoutEmpty({ ...now, text: withoutChild(now, node.parent ?? node) }, put.path.slice(0, -1), put.depth);
  }
  return { text, kept };
}

/** Every put is in the file, and in the lists they were put into nothing else of ours. */
export function hasAll(json: JsonFile, puts: readonly JsonPut[], isStale: (value: unknown) => boolean): boolean {
  const isThere = puts.every((put) => {
    const node = nodeAt(json, put.path);
    if (node === undefined) return false;
    return put.how === 'set' ? isSameJson(getNodeValue(node), put.value) : itemIn(node, put.value) !== undefined;
  });
  return isThere && oursIn(json, isStale).length === 0;
}

/** Items of lists below `hooks`-like keys that are ours, wherever they stand: for a file whose record is lost. */
function oursIn(json: JsonFile, isOurs: (value: unknown) => boolean): readonly Node[] {
  const root = nodeAt(json, []);
  const found: Node[] = [];
  const visit = (node: Node, level: number): void => {
    for (const child of node.children ?? []) {
      const value = node.type === 'object' ? child.children?.[1] : child;
      if (value === undefined) continue;
      if (node.type === 'array' && isOurs(getNodeValue(value))) found.push(child);
      else if (level < LEVELS_MAX) visit(value, level + 1);
    }
  };
  if (root !== undefined) visit(root, 0);
  return found;
}

/** Where hosts keep their lists of hooks: `hooks.Stop[…]`. Deeper lists belong to somebody's hook. */
const LEVELS_MAX = 2;

/** Takes out what is ours by its text, and the lists and objects that are empty then. */
export function takeOutFound(json: JsonFile, isOurs: (value: unknown) => boolean): string {
  let { text } = json;
  for (;;) {
    const now = { file: json.file, text };
    const [item] = oursIn(now, isOurs);
    if (item === undefined) return text;
    const path = pathOf(item);
    text = withoutEmpty({ ...now, text: withoutChild(now, item) }, path, 0);
  }
}

function pathOf(item: Node): readonly string[] {
  const path: string[] = [];
  for (let node = item.parent; node !== undefined; node = node.parent) {
    if (node.type === 'property') path.unshift(String(node.children?.[0]?.value));
  }
  return path;
}

function setAt(json: JsonFile, { path, value }: JsonPut, depth: number): string {
  const node = nodeAt(json, path);
  if (node !== undefined) return withValue(json, node, value);
  return withProperty(json, path.slice(0, depth), path[depth] ?? '', nested(path.slice(depth + 1), value));
}

function appendAt(json: JsonFile, { path, value }: JsonPut, depth: number): string {
  const node = nodeAt(json, path);
  if (node === undefined)
    return withProperty(json, path.slice(0, depth), path[depth] ?? '', nested(path.slice(depth + 1), [value]));
  return itemIn(node, value) === undefined ? withItem(json, path, value) : json.text;
}

/** How many keys of the path lead to something. What stands in the way of the rest is refused. */
function depthOf(json: JsonFile, path: readonly string[]): number {
  for (let depth = 1; depth <= path.length; depth += 1) {
    const parent = nodeAt(json, path.slice(0, depth - 1));
    if (parent !== undefined && parent.type !== 'object')
      throw invalidAt(json, parent, `"${path.slice(0, depth - 1).join('.')}" is not an object`);
    if (parent === undefined || propertyOf(parent, path[depth - 1] ?? '') === undefined) return depth - 1;
  }
  return path.length;
}

function nested(path: readonly string[], value: unknown): unknown {
  return path.toReversed().reduce((inner, key) => ({ [key]: inner }), value);
}

/** Only containers that we made: `depth` keys were there before us. */
function withoutEmpty(json: JsonFile, path: readonly string[], depth: number): string {
  let { text } = json;
  for (let length = path.length; length > depth; length -= 1) {
    const now = { file: json.file, text };
    const node = nodeAt(now, path.slice(0, length));
    const isContainer = node?.type === 'object' || node?.type === 'array';
    if (!isContainer || (node.children?.length ?? 0) > 0 || node.parent === undefined) return text;
    // A comment in it is somebody's.
    if (/\S/u.test(rawAt(now, node).slice(1, -1))) return text;
    text = withoutChild(now, node.parent);
  }
  return text;
}

function itemIn(node: Node, value: unknown): Node | undefined {
  return node.type === 'array' ? node.children?.find((each) => isSameJson(getNodeValue(each), value)) : undefined;
}
