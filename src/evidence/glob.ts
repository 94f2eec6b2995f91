/** One element of a pattern within a path part: a star, or one character. */
type Sign = { readonly kind: 'star' } | { readonly kind: 'one'; readonly matches: (char: string) => boolean };

/** A pattern as a linked list, one link per folder; `null` at the end. Links are compared by identity. */
export type GlobLink = {
  /** `**`: any number of folders. */
  readonly deep: boolean;
  /** As written, so that a file really named `[id].ts` can be matched by its name. */
  readonly text: string;
  /** Parsed when a name is first compared: a project needs only a few of the thousands of patterns in the tables. */
  readonly signs: () => readonly Sign[];
  readonly next: GlobLink | null;
};

export type Glob = { readonly up: number; readonly first: GlobLink | null };

const ALTERNATIVES_MAX = 1000;
/** A text without these matches only itself. */
export const WILD: RegExp = /[*?[\\]/;

/**
 * `*` and `?` stay within a name, `**` crosses folders, `{a,b}` and `[a-z]` (`[!a-z]`) work as in a shell, `\` escapes a character. A name
 * that begins with a dot is like any other. A leading `/` means the project. Never throws: unclosed brackets and braces are literal.
 */
export function parseGlob(glob: string): readonly Glob[] {
  return alternativesOf(glob).map((text) => {
    const parts: string[] = [];
    let up = 0;
    for (const part of text.split('/')) {
      if (part === '' || part === '.') continue;
      if (part !== '..') parts.push(part);
      else if (parts.pop() === undefined) up += 1;
    }
    return { up, first: parts.reduceRight<GlobLink | null>((next, part) => linkOf(part, next), null) };
  });
}

export function linkOf(text: string, next: GlobLink | null): GlobLink {
  const deep = /^\*{2,}$/.test(text);
  let signs: readonly Sign[] | undefined;
  return { deep, text, signs: () => (signs ??= deep ? [] : signsOf(text)), next };
}

/** Takes at most the product of the two lengths: only the last star is ever retried. */
export function matchesName(link: GlobLink, name: string): boolean {
  if (link.text === name) return true;
  if (!WILD.test(link.text)) return false;
  const signs = link.signs();
  const chars = Array.from(name);
  let sign = 0;
  let char = 0;
  let star: { sign: number; char: number } | null = null;
  while (char < chars.length) {
    const wanted = signs[sign];
    if (wanted?.kind === 'one' && wanted.matches(chars[char] ?? '')) {
      sign += 1;
      char += 1;
    } else if (wanted?.kind === 'star') {
      sign += 1;
      star = { sign, char };
    } else if (star !== null) {
      star.char += 1;
      sign = star.sign;
      char = star.char;
    } else return false;
  }
  return signs.slice(sign).every((rest) => rest.kind === 'star');
}

/** Entered only if a pattern names them: their contents are not the project's own. */
export const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(['.git', '.tireless', 'node_modules']);

/**
 * Whether a pattern matches this path (parts between slashes, from the root of the project). As in a search for files, a pattern that
 * matches a folder covers everything in it, and `**` does not enter a skipped folder. Patterns that lead outside match nothing.
 */
export function matchesPath(glob: Glob, parts: readonly string[]): boolean {
  if (glob.up > 0) return false;
  let awaited = new Set<GlobLink>(glob.first === null ? [linkOf('**', null)] : [glob.first]);
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    const next = new Set<GlobLink>();
    // Iterating over a set includes elements added during the iteration: `**` also matches no folder at all.
    for (const link of awaited) {
      const isSkipped = SKIPPED_FOLDERS.has(part);
      if (link.deep) {
        if (link.next !== null) awaited.add(link.next);
        if (isSkipped) continue;
        if (link.next === null) return true;
        next.add(link);
      } else if (isSkipped ? link.text === part : matchesName(link, part)) {
        if (link.next !== null) next.add(link.next);
        else return true;
      }
    }
    if (isLast || next.size === 0) return false;
    awaited = next;
  }
  return false;
}

function signsOf(text: string): Sign[] {
  const chars = Array.from(text);
  const signs: Sign[] = [];
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] ?? '';
    const set = char === '[' ? setAt(chars, at) : undefined;
    if (char === '*') signs.push({ kind: 'star' });
    else if (char === '?') signs.push({ kind: 'one', matches: () => true });
    else if (set !== undefined) {
      signs.push({ kind: 'one', matches: set.matches });
      at = set.end;
    } else {
      const literal = char === '\\' && at + 1 < chars.length ? (chars[++at] ?? '') : char;
      signs.push({ kind: 'one', matches: (other) => other === literal });
    }
  }
  return signs;
}

/** `[abc]`, `[a-z]`, `[!a-z]`; a leading `]` is a member. */
function setAt(
  chars: readonly string[],
  open: number,
): { readonly end: number; readonly matches: (char: string) => boolean } | undefined {
  const negated = chars[open + 1] === '!' || chars[open + 1] === '^';
  const start = open + (negated ? 2 : 1);
  const end = chars.indexOf(']', start + 1);
  if (end === -1) return undefined;
  const ranges: [from: string, to: string][] = [];
  for (let at = start; at < end; at++) {
    const from = chars[at] ?? '';
    const isRange = chars[at + 1] === '-' && at + 2 < end;
    ranges.push([from, isRange ? (chars[at + 2] ?? from) : from]);
    if (isRange) at += 2;
  }
  return {
    end,
    matches: (char) =>
      ranges.some(([from, to]) => codeOf(char) >= codeOf(from) && codeOf(char) <= codeOf(to)) !== negated,
  };
}

function codeOf(char: string): number {
  return char.codePointAt(0) ?? 0;
}

/** Braces first, since they may contain slashes. Beyond the maximum a group becomes `*`: better to protect too much than too little. */
function alternativesOf(glob: string): string[] {
  const done: string[] = [];
  const open = [glob];
  for (let text = open.pop(); text !== undefined; text = open.pop()) {
    const group = groupIn(text);
    if (group === undefined) done.push(text);
    else {
      const isMany = done.length + open.length + group.parts.length > ALTERNATIVES_MAX;
      const parts = isMany ? ['*'] : group.parts;
      open.push(...parts.map((part) => `${group.before}${part}${group.after}`).toReversed());
    }
  }
  return done;
}

type Group = { readonly before: string; readonly parts: readonly string[]; readonly after: string };

/** The first closed `{…}` with a comma in it. */
function groupIn(text: string): Group | undefined {
  const starts: { at: number; commas: number[] }[] = [];
  let found: Group | undefined;
  let foundAt = text.length;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '\\') at += 1;
    else if (char === '{') starts.push({ at, commas: [] });
    else if (char === ',') starts.at(-1)?.commas.push(at);
    else if (char === '}') {
      const start = starts.pop();
      if (start === undefined || start.commas.length === 0 || start.at > foundAt) continue;
      const edges = [start.at, ...start.commas, at];
      const parts = edges.slice(1).map((edge, index) => text.slice((edges[index] ?? 0) + 1, edge));
      found = { before: text.slice(0, start.at), parts, after: text.slice(at + 1) };
      foundAt = start.at;
    }
  }
  return found;
}
