/** The paths that a source text names in its strings, found without parsing. Bounded; never throws. */
import path from 'node:path';

export type NamedPath = {
  /** Without what only the run knows: `${root}/a/b.txt` is `a/b.txt`, and `a/${name}.txt` is `a`. */
  readonly path: string;
  /** A folder whose files are computed at run time. */
  readonly isComputed: boolean;
  /** The name of a file follows in the same call. */
  readonly isFollowed: boolean;
  readonly line: string;
};

const LINE_MAX = 2000;
const PATHS_MAX = 5000;
const PARTS_MAX = 5;
const LITERAL = /(["'`])((?:(?!\1)[^\\\n]|\\.){1,300}?)\1/g;
/** Between two parts of a path: `join(a, 'b', 'c')`, `Path("a") / "b"`, `'a' + 'b'`. */
const BETWEEN = /^\s*\)?\s*[,/+]\s*$/;
const SHELL_WORD = /[\w.$@{}*+~/-]+/g;
const COMMENT = /^\s*(?:\/\/(?!go:)|#(?![!\w[])|\/?\*\s|--\s)/;
const SHELL_COMMENT = /^\s*#/;
const LEADING = /^(?:file:\/\/)?(?:\$\{[^}]*\}|#\{[^}]*\}|\{[^}]*\}|\$\w+|%s)?\/*/;
const COMPUTED = /\$\{|#\{|[{*]|%[sdv]|\$\w/;
const FILE_NAME = /[\w})*]\.\w{1,12}$/;

export function isShellFile(file: string, text: string): boolean {
  return /\.(?:sh|bash|zsh|ksh|bats)$/.test(file) || /^#!.*\b(?:ba|z|da|k|a)?sh\b/.test(text);
}

/** Without lines that are only a comment. */
export function codeLines(text: string, isShell: boolean): readonly string[] {
  return text.split('\n').filter((line) => !(isShell ? SHELL_COMMENT : COMMENT).test(line));
}

/** `isName`: may the last part of a path be this? Most strings are no paths of the project. */
export function namedPaths(text: string, isShell: boolean, isName: (name: string) => boolean): readonly NamedPath[] {
  const found: NamedPath[] = [];
  for (const whole of codeLines(text, isShell)) {
    if (found.length >= PATHS_MAX) break;
    if (!isShell && !/["'`]/.test(whole)) continue;
    const line = whole.slice(0, LINE_MAX);
    const groups = isShell ? shellWords(line) : literalGroups(line);
    for (const group of groups) found.push(...joined(group, line, isName));
  }
  return found;
}

function shellWords(line: string): readonly (readonly string[])[] {
  return [...line.matchAll(SHELL_WORD)].map(([word]) => [word]).filter(([word = '']) => /[./]/.test(word));
}

/** Strings that may be parts of one path. */
function literalGroups(line: string): readonly (readonly string[])[] {
  const groups: string[][] = [];
  let end = -1;
  for (const match of line.matchAll(LITERAL)) {
    const isNext = end >= 0 && BETWEEN.test(line.slice(end, match.index));
    if (isNext) groups.at(-1)?.push(match[2] ?? '');
    else groups.push([match[2] ?? '']);
    end = match.index + match[0].length;
  }
  return groups;
}

function joined(group: readonly string[], line: string, isName: (name: string) => boolean): readonly NamedPath[] {
  const found: NamedPath[] = [];
  for (const [last, part] of group.entries()) {
    // Only the last part tells whether this can be a path.
    if (!isPath(part, isName)) continue;
    const isFollowed = group.slice(last + 1).some((next) => FILE_NAME.test(next));
    for (let first = last; first >= 0 && first > last - PARTS_MAX; first -= 1) {
      const one = read(group.slice(first, last + 1).join('/'));
      if (one !== undefined) found.push({ ...one, line, isFollowed });
    }
  }
  return found;
}

function isPath(part: string, isName: (name: string) => boolean): boolean {
  return COMPUTED.test(part) || isName(part.replace(/\/+$/, '').replace(/^.*\//, ''));
}

function read(given: string): Pick<NamedPath, 'path' | 'isComputed'> | undefined {
  if (/\s|:\/\/(?!\/)/.test(given.replace(/^file:/, ''))) return undefined;
  const rest = given.replace(LEADING, '');
  const at = rest.search(COMPUTED);
  const known = at < 0 ? rest : rest.slice(0, rest.lastIndexOf('/', at) + 1);
  const plain = path.posix.normalize(known).replace(/\/$/, '');
  return plain === '.' || plain === '..' ? undefined : { path: plain, isComputed: at >= 0 };
}
