import type { PartsOptions, ReplacedText } from './parts.ts';

/** A test module inside a product file. */
type Block = { readonly name: string; readonly start: number; readonly end: number; readonly text: string };

const HEAD =
  /#\[cfg\((?:(?:all|any)\()?\s*test\b[^\]]{0,200}\]\s*(?:#\[[^\]]{0,200}\]\s*){0,20}(?:pub(?:\([^)]{0,100}\))?\s+)?mod\s+(\w+)\s*([{;])/g;

/**
 * `#[cfg(test)] mod tests { … }`: the usual place of tests in Rust. The baseline's modules replace the agent's in place, or go at the end;
 * a module that the agent added is kept if added tests are kept. Throws if braces do not match.
 */
export function replaceTestModules(work: string, baseline: string, { keepAdded }: PartsOptions): ReplacedText {
  const own = labelled(blocksIn(work));
  const old = labelled(blocksIn(baseline));
  const added = [...own.keys()].filter((label) => !old.has(label));
  const changed = [...old].filter(([label, block]) => own.get(label)?.text !== block.text).map(([label]) => label);
  if (changed.length === 0 && (added.length === 0 || keepAdded)) return { text: work, changed, added };
  let text = work;
  for (const [label, { start, end }] of [...own].toSorted(([, a], [, b]) => b.start - a.start)) {
    const before = old.get(label);
    if (before === undefined && keepAdded) continue;
    text = text.slice(0, start) + (before?.text ?? '') + text.slice(end);
  }
  const missing = [...old].filter(([label]) => !own.has(label)).map(([, block]) => `${block.text}\n`);
  return { text: [text, ...missing].join(missing.length > 0 ? '\n' : ''), changed, added };
}

/** `tests`, and `tests 2` for the second one with that name. */
function labelled(blocks: readonly Block[]): ReadonlyMap<string, Block> {
  const byLabel = new Map<string, Block>();
  for (const block of blocks) {
    let label = block.name;
    for (let number = 2; byLabel.has(label); number++) label = `${block.name} ${number}`;
    byLabel.set(label, block);
  }
  return byLabel;
}

function blocksIn(text: string): readonly Block[] {
  const masked = maskRust(text);
  const blocks: Block[] = [];
  let from = 0;
  for (const match of masked.matchAll(HEAD)) {
    // Inside the previous block.
    if (match.index < from) continue;
    const head = match.index + match[0].length;
    const end = match[2] === ';' ? head : closeOf(masked, head);
    blocks.push({ name: match[1] ?? '', start: match.index, end, text: text.slice(match.index, end) });
    from = end;
  }
  return blocks;
}

function closeOf(masked: string, from: number): number {
  let open = 1;
  for (let at = from; at < masked.length; at++) {
    if (masked[at] === '{') open += 1;
    else if (masked[at] === '}') open -= 1;
    if (open === 0) return at + 1;
  }
  throw new SyntaxError('a brace is not closed');
}

/** A text of the same length, with blanks for comments, strings and characters. */
function maskRust(text: string): string {
  const token = /\/\/[^\n]*|\/\*|\b(?:b|c)?r(#*)"|"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\\n]|\\(?:u\{[^}]*\}|x..|.))'/gu;
  let masked = '';
  let from = 0;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const end = tokenEnd(text, match);
    masked += text.slice(from, match.index) + ' '.repeat(end - match.index);
    from = end;
    token.lastIndex = end;
  }
  return masked + text.slice(from);
}

function tokenEnd(text: string, match: RegExpExecArray): number {
  const end = match.index + match[0].length;
  if (match[0] === '/*') return commentEnd(text, match.index);
  if (match[1] === undefined) return end;
  const close = text.indexOf(`"${match[1]}`, end);
  if (close === -1) throw new SyntaxError('a raw string is not closed');
  return close + match[1].length + 1;
}

/** Comments may be nested. */
function commentEnd(text: string, from: number): number {
  const edge = /\/\*|\*\//g;
  edge.lastIndex = from;
  let open = 0;
  for (let match = edge.exec(text); match !== null; match = edge.exec(text)) {
    open += match[0] === '/*' ? 1 : -1;
    if (open === 0) return edge.lastIndex;
  }
  return text.length;
}
