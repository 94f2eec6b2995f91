import { linkOf, matchesName, parseGlob } from '../glob.ts';
import type { GlobLink } from '../glob.ts';
import type { PartRule } from './ecosystem.ts';
import type { PartsOptions } from './parts.ts';

type Tree = Record<string, unknown>;
type Found = { readonly changed: string[]; readonly added: string[] };

const LENGTH_SHOWN_MAX = 100;

/** Puts the judge's parts of the baseline into the agent's tree, in place. Throws if a tree is too deep to compare. */
export function replaceParts(rule: PartRule, work: Tree, baseline: Tree, options: PartsOptions): Found {
  const found: Found = { changed: [], added: [] };
  const mayAdd = patternsOf(rule.addable ?? []);
  for (const steps of patternsOf(rule.parts)) {
    const keeps: Walk['keeps'] = (name, isAdded) => {
      const isAddable =
        isAdded && mayAdd.some((pattern) => matchesSteps(pattern, name)) && !isHook(rule, name, baseline);
      (isAddable ? found.added : found.changed).push(shownName(name));
      return isAddable && options.keepAdded;
    };
    replaceAt(steps, work, baseline, { keeps, above: [] });
  }
  for (const key of options.aliases ?? []) replaceAlias(key, work, baseline, found);
  for (const [key, values] of Object.entries(rule.values ?? {})) {
    const value = work[key];
    if (typeof value !== 'string' || value === baseline[key] || !values.includes(value)) continue;
    setOrDelete(work, key, baseline);
    found.changed.push(key);
  }
  return found;
}

/** Its name may contain any characters, so it is not a pattern. */
function replaceAlias(key: string, work: Tree, baseline: Tree, found: Found): void {
  const [own, old] = [work['imports'], baseline['imports']].map((tree) => (isTree(tree) ? tree : {}));
  if (own === undefined || old === undefined || isSame(valueAt(own, key), valueAt(old, key))) return;
  setOrDelete(own, key, old);
  work['imports'] = own;
  found.changed.push(shownName(['imports', key]));
}

type Walk = {
  /** Decides whether the agent's version of a part that differs may stay. */
  readonly keeps: (name: readonly string[], isAdded: boolean) => boolean;
  /** The keys that lead here. */
  readonly above: readonly string[];
};

function replaceAt(steps: readonly GlobLink[], work: Tree, baseline: Tree, walk: Walk): void {
  const [step, ...inner] = steps;
  if (step === undefined) return;
  const keys = new Set([...Object.keys(work), ...Object.keys(baseline)].filter((key) => matchesName(step, key)));
  for (const key of keys) {
    const above = [...walk.above, key];
    const [own, old] = [valueAt(work, key), valueAt(baseline, key)];
    if (isSame(own, old)) continue;
    if (inner.length === 0) {
      if (!walk.keeps(above, old === undefined)) setOrDelete(work, key, baseline);
    } else if (Array.isArray(own)) replaceInList(inner, own, Array.isArray(old) ? old : [], { ...walk, above });
    else {
      const tree: Tree = isTree(own) ? own : {};
      replaceAt(inner, tree, isTree(old) ? old : {}, { ...walk, above });
      if (!isTree(own) && Object.keys(tree).length > 0) setValue(work, key, tree);
    }
  }
}

/** Items are identified by their name or by their index. */
function replaceInList(inner: readonly GlobLink[], own: readonly unknown[], old: readonly unknown[], walk: Walk): void {
  const [step, ...rest] = inner;
  if (step === undefined) return;
  for (const [index, item] of own.entries()) {
    const label = labelOf(item, index);
    if (!isTree(item) || !matchesName(step, label)) continue;
    const before = old.find((each, at) => labelOf(each, at) === label);
    replaceAt(rest, item, isTree(before) ? before : {}, { ...walk, above: [...walk.above, label] });
  }
}

function labelOf(item: unknown, index: number): string {
  return isTree(item) && typeof item['name'] === 'string' ? item['name'] : String(index);
}

function isHook(rule: PartRule, name: readonly string[], baseline: Tree): boolean {
  const folder = name.slice(0, -1);
  let siblings: unknown = baseline;
  for (const key of folder) siblings = isTree(siblings) ? valueAt(siblings, key) : undefined;
  const known = isTree(siblings) ? Object.keys(siblings) : [];
  return (rule.hooks ?? []).some((hook) => {
    const own = name.join('/');
    if (!hook.includes('{}')) return patternsOf([hook]).some((pattern) => matchesSteps(pattern, name));
    return known.some((key) => hook.replace('{}', () => key) === own);
  });
}

/** `a/{b,c}/*` as one list of links per alternative. */
function patternsOf(patterns: readonly string[]): readonly (readonly GlobLink[])[] {
  return patterns.flatMap((pattern) =>
    parseGlob(pattern).map(({ first }) => {
      const links: GlobLink[] = [];
      for (let link = first; link !== null; link = link.next) links.push(linkOf(link.text, null));
      return links;
    }),
  );
}

function matchesSteps(steps: readonly GlobLink[], name: readonly string[]): boolean {
  return steps.length === name.length && steps.every((step, index) => matchesName(step, name[index] ?? ''));
}

function setOrDelete(work: Tree, key: string, baseline: Tree): void {
  const value = valueAt(baseline, key);
  if (value === undefined) Reflect.deleteProperty(work, key);
  else setValue(work, key, value);
}

/** A key may be named `__proto__`. */
function setValue(tree: Tree, key: string, value: unknown): void {
  Object.defineProperty(tree, key, { value, enumerable: true, configurable: true, writable: true });
}

function valueAt(tree: Tree, key: string): unknown {
  return Object.hasOwn(tree, key) ? tree[key] : undefined;
}

function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime();
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => isSame(item, b[index]));
  if (!isTree(a) || !isTree(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]));
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function shownName(name: readonly string[]): string {
  return name.join('/').slice(0, LENGTH_SHOWN_MAX);
}
