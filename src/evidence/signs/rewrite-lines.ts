/** Rewrites lines so that they still compile: mentions in strings and comments are left alone, and so is the text of JSX. */
import type { Line } from './scan-source.ts';
import { TEXT } from './scan-source.ts';

/**
 * A pattern and its replacement; `$1` is the first group. The replacement contains no quotes and no backslashes, so that it can be used in
 * a string with code in it. `in-text`: the pattern itself is in a string.
 */
export type Rewrite = readonly [pattern: RegExp, by: string, where?: 'in-text'];

/** Here a string is code too. */
const RUNS_TEXT = /\b(?:eval|Function|Script|runIn\w{1,20}) ?\(|(?<![\w.])(?:exec|compile) ?\(/;
const RUNS_ARGUMENT = /['"`]-{1,2}(?:e|c|p|eval|print)['"`]/;
const JSX_BEFORE = /[^=\s]>[^<>{}]*$/;
const JSX_AFTER = /^[^<>{}]*<\//;

/** `rewrites`: if two of them match, the first one is used. */
export function rewriteLine(text: string, { plain }: Line, rewrites: readonly Rewrite[], isJsx: boolean): string {
  const isAllCode = RUNS_TEXT.test(plain) || RUNS_ARGUMENT.test(text);
  const isCode = (at: number, end: number): boolean =>
    (isAllCode || plain.charAt(at) !== TEXT) &&
    !(isJsx && JSX_BEFORE.test(plain.slice(0, at)) && JSX_AFTER.test(plain.slice(end)));
  const found = rewrites.flatMap(([pattern, by, where]) =>
    // Most lines match nothing, and `matchAll` copies the pattern each time.
    text.search(pattern) < 0
      ? []
      : [...text.matchAll(pattern)].flatMap((match) => {
          const [at, end] = [match.index, match.index + match[0].length];
          if (where !== 'in-text' && !isCode(at, end)) return [];
          return [{ at, end, by: by.replaceAll('$1', () => match[1] ?? '') }];
        }),
  );
  let made = '';
  let from = 0;
  for (const { at, end, by } of found.toSorted((one, other) => one.at - other.at)) {
    if (at < from) continue;
    made += text.slice(from, at) + by;
    from = end;
  }
  return made + text.slice(from);
}
