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

/** A put, and what is needed to undo it. */
export type DonePut = JsonPut & {
  /** How many keys of the path existed before: anything deeper is ours, and is removed when it is empty. */
  readonly depth: number;
  /** The text of the value that a `set` replaced; `null` = there was none. */
  readonly before: string | null;
};

export type PutResult = { readonly text: string; readonly done: readonly DonePut[] };

/** Puts every value in its place and leaves every other byte alone. Throws `SETTINGS_INVALID`. */
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

/** Removes our values, last one first. Values that somebody has changed since belong to them and stay; `kept` names them. */
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

/** Every put is in the file, and no outdated entry of ours is left in it. */
export function hasAll(json: JsonFile, puts: readonly JsonPut[], isStale: (value: unknown) => boolean): boolean {
  const hasAllPuts = puts.every((put) => {
    const node = nodeAt(json, put.path);
    if (node === undefined) return false;
    return put.how === 'set' ? isSameJson(getNodeValue(node), put.value) : itemIn(node, put.value) !== undefined;
  });
  return hasAllPuts && oursIn(json, isStale).length === 0;
}

/** Our items in lists below `hooks`-like keys, wherever they are: for a file whose record is lost. */
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

/** Hosts keep their lists of hooks here: `hooks.Stop[…]`. Deeper lists belong to somebody's hook. */
const LEVELS_MAX = 2;

/** Removes entries that are ours by their text, and lists and objects that are empty afterwards. */
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

/** How many keys of the path exist. Throws if a value in the way is of the wrong kind. */
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

/** Only containers that we created: `depth` keys existed before us. */
function withoutEmpty(json: JsonFile, path: readonly string[], depth: number): string {
  let { text } = json;
  for (let length = path.length; length > depth; length -= 1) {
    const now = { file: json.file, text };
    const node = nodeAt(now, path.slice(0, length));
    const isContainer = node?.type === 'object' || node?.type === 'array';
    if (!isContainer || (node.children?.length ?? 0) > 0 || node.parent === undefined) return text;
    // A comment in it belongs to somebody.
    if (/\S/u.test(rawAt(now, node).slice(1, -1))) return text;
    text = withoutChild(now, node.parent);
  }
  return text;
}

function itemIn(node: Node, value: unknown): Node | undefined {
  return node.type === 'array' ? node.children?.find((each) => isSameJson(getNodeValue(each), value)) : undefined;
}
