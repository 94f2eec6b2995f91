import { linkOf, matchesName, parseGlob } from '../glob.ts';
import type { GlobLink } from '../glob.ts';
import type { PartRule } from './ecosystem.ts';
import type { ReplacedText } from './parts.ts';

/** A child element, as a range of the text. */
type Element = {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly inner: readonly [number, number];
};

const ELEMENTS_MAX = 20_000;

/**
 * Elements of a document as Maven writes it (no DTD; CDATA and comments are skipped). The agent's are cut out and the baseline's inserted
 * before the end of their parent. Throws if the tags do not match.
 */
export function replaceElements(rule: PartRule, work: string, baseline: string): ReplacedText {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(work)) throw new SyntaxError('a document type is not read');
  refuseOpenEnds(work);
  let text = work;
  const changed: string[] = [];
  for (const steps of rule.parts.flatMap(stepsOf)) {
    const old = baseline.trim() === '' ? [] : partsIn(baseline, steps);
    const own = partsIn(text, steps);
    if (contentOf(own) === contentOf(old)) continue;
    const names = new Set([...own, ...old].map(({ name }) => name));
    changed.push(...[...names].filter((name) => contentOf(own, name) !== contentOf(old, name)));
    for (const { start, end } of own.toReversed()) text = text.slice(0, start) + text.slice(end);
    text = putIn(text, steps.slice(0, -1), old.map((part) => part.text).join('\n'));
  }
  return { text, changed, added: [] };
}

/** This also keeps the search for tags linear. */
function refuseOpenEnds(text: string): void {
  const opening = /<!--|<!\[CDATA\[|<\?/g;
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    const end = text.indexOf(match[0] === '<!--' ? '-->' : match[0] === '<?' ? '?>' : ']]>', opening.lastIndex);
    if (end === -1) throw new SyntaxError(`${match[0]} is not closed`);
    opening.lastIndex = end;
  }
}

type Part = { readonly name: string; readonly text: string; readonly start: number; readonly end: number };

function partsIn(text: string, steps: readonly GlobLink[]): readonly Part[] {
  const [root] = childrenOf(text, 0, text.length);
  if (root === undefined) throw new SyntaxError('no element');
  let level = [{ ...root, path: '' }];
  for (const step of steps) {
    level = level.flatMap(({ inner, path }) =>
      childrenOf(text, ...inner)
        .filter(({ name }) => matchesName(step, name))
        .map((child) => ({ ...child, path: path === '' ? child.name : `${path}/${child.name}` })),
    );
  }
  return level.map(({ path, start, end }) => ({ name: path, start, end, text: text.slice(start, end) }));
}

/** Inserts into the first element that the steps lead to; a missing element is created. */
function putIn(text: string, steps: readonly GlobLink[], added: string): string {
  if (added === '') return text;
  const [root] = childrenOf(text, 0, text.length);
  if (root === undefined) throw new SyntaxError('no element');
  let at = root.inner[1];
  let parent = root;
  for (const [index, step] of steps.entries()) {
    const child = childrenOf(text, ...parent.inner).find(({ name }) => matchesName(step, name));
    if (child === undefined) {
      const names = steps.slice(index).map((each) => each.text);
      const made = names.reduceRight((inner, name) => `<${name}>${inner}</${name}>`, added);
      return `${text.slice(0, at)}${made}\n${text.slice(at)}`;
    }
    parent = child;
    at = child.inner[1];
  }
  return `${text.slice(0, at)}${added}\n${text.slice(at)}`;
}

function childrenOf(text: string, from: number, to: number): readonly Element[] {
  const tag =
    /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>|<(\/?)([\w.:-]+)(?:[^<>"']|"[^"]*"|'[^']*')*?(\/?)>/g;
  tag.lastIndex = from;
  const children: Element[] = [];
  const open: { name: string; start: number; inner: number }[] = [];
  for (let count = 0; count < ELEMENTS_MAX; count++) {
    const match = tag.exec(text);
    if (match === null || match.index >= to) {
      if (open.length > 0) throw new SyntaxError('an element is not closed');
      return children;
    }
    const [whole, closing, name, selfClosing] = match;
    if (name === undefined) continue;
    const end = match.index + whole.length;
    if (closing === '/') {
      const start = open.pop();
      if (start?.name !== name) throw new SyntaxError('tags do not match');
      if (open.length === 0) children.push({ name, start: start.start, end, inner: [start.inner, match.index] });
    } else if (selfClosing !== '/') open.push({ name, start: match.index, inner: end });
    else if (open.length === 0) children.push({ name, start: match.index, end, inner: [end, end] });
  }
  throw new SyntaxError('too many elements');
}

function contentOf(parts: readonly Part[], name?: string): string {
  return parts
    .filter((part) => name === undefined || part.name === name)
    .map(({ text }) => text.replaceAll(/<!--[\s\S]*?-->/g, '').replaceAll(/\s+/g, ' '))
    .join('\n');
}

function stepsOf(pattern: string): (readonly GlobLink[])[] {
  return parseGlob(pattern).map(({ first }) => {
    const links: GlobLink[] = [];
    for (let link = first; link !== null; link = link.next) links.push(linkOf(link.text, null));
    return links;
  });
}
