import type { Sign, SignCode } from '../../core/room.ts';
import type { Language } from './language.ts';
import type { Line } from './scan-source.ts';
import { scanSource, TEXT } from './scan-source.ts';

/** One file, scanned once. Answers about the whole file are cached, so that many lines stay cheap. */
export type Source = {
  readonly path: string;
  readonly language: Language;
  readonly lines: readonly Line[];
  /** Does any line match this outside strings and comments? */
  readonly has: (pattern: RegExp) => boolean;
  /** The first groups of all matches in all lines. The pattern has the flag `g`. */
  readonly namesBy: (pattern: RegExp) => ReadonlySet<string>;
  /** Another changed file imports this file by its name. */
  readonly isImported: boolean;
};

/** Both texts of a change, scanned. */
export type Change = {
  readonly path: string;
  readonly isTest: boolean;
  readonly before: Source | undefined;
  readonly after: Source | undefined;
};

const STRINGS_MAX = 200;
const TEXT_CHARS_MAX = 300;

export function readSource(path: string, text: string, language: Language, isImported = false): Source {
  const lines = scanSource(text, language.syntax);
  const known = new Map<RegExp, boolean>();
  const names = new Map<RegExp, ReadonlySet<string>>();
  return {
    path,
    language,
    lines,
    isImported,
    has: (pattern) => {
      const found = known.get(pattern) ?? lines.some(({ bare }) => pattern.test(bare));
      known.set(pattern, found);
      return found;
    },
    namesBy: (pattern) => {
      const found =
        names.get(pattern) ?? new Set(lines.flatMap((line) => matchesIn(line, pattern).map(([, name = '']) => name)));
      names.set(pattern, found);
      return found;
    },
  };
}

/** Matches that begin outside strings. */
export function matchesIn({ code, bare }: Line, pattern: RegExp): readonly RegExpMatchArray[] {
  // Most lines match nothing, and `matchAll` copies the pattern each time.
  if (code.search(pattern) < 0) return [];
  return [...code.matchAll(pattern)].filter(({ index }) => bare.charAt(index) !== TEXT);
}

export function hasIn(line: Line, pattern: RegExp): boolean {
  return matchesIn(line, pattern).length > 0;
}

/** The contents of the strings of a line. */
export function stringsIn({ code, bare }: Line): readonly string[] {
  const found: string[] = [];
  for (let at = bare.indexOf(TEXT); at >= 0 && found.length < STRINGS_MAX;) {
    let end = at;
    while (bare.charAt(end) === TEXT) end += 1;
    found.push(code.slice(at, end));
    at = bare.indexOf(TEXT, end);
  }
  return found;
}

const BACK_MAX = 400;

/** The line and those above it, nearest first; bounded. */
export function linesAbove({ lines }: Source, line: Line, max: number = BACK_MAX): readonly Line[] {
  return lines.slice(Math.max(0, line.number - max), line.number).toReversed();
}

export function hasShebang({ lines }: Source): boolean {
  return lines[0]?.raw.startsWith('#!') === true;
}

export function signOf(code: SignCode, path: string, { number, raw }: Line): Sign {
  return { code, path, line: number, text: raw.trim().slice(0, TEXT_CHARS_MAX) };
}
