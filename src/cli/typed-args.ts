import { RUN_FLAGS } from './loop-flags.ts';
import { nearestWord } from '../views/nearest-word.ts';
import { UNAVAILABLE_FLAGS } from './unavailable.ts';
import { takesWords } from './flags.ts';
import { START_FLAGS } from './start-args.ts';

/**
 * Splits what was typed after a slash command into arguments. No shell has seen the text, and nothing in it is ever expanded.
 *
 * - Options come before or after the goal: `--flag value`, `--flag=value`, a value with spaces in quotes.
 * - A goal in quotes, straight or curly, is kept byte for byte. Its closing quote is the first one after which the text ends or an option
 *   begins, so quotes inside need no escaping. In straight double quotes `\"` never closes; the backslash stays, like everything else.
 * - A goal without quotes ends at the next option, and may contain line breaks. A word such as `--verbose` is part of it if no option has
 *   that name; a word that looks like a misspelt option counts as one, and is refused by name later.
 * - After `--` everything is goal.
 *
 * In a quoted value of an option `\"` is a quote, because the value is a command or a pattern, not prose. Never throws.
 */
export function splitTypedText(text: string): readonly string[] {
  const parts = partsOf(text);
  const options = parts.flatMap((part) => ('goal' in part ? [] : part.args));
  const goal = parts.flatMap((part) => ('goal' in part ? [part.goal] : []));
  return goal.length === 0 ? options : [...options, '--', ...goal];
}

/** A value of several words that was typed without quotes, so that its rest would become a second part of the goal. */
export function unquotedValueIn(text: string): UnquotedValue | undefined {
  const parts = partsOf(text);
  const found = parts.findIndex((part, at) => {
    const next = parts[at + 1];
    if ('goal' in part || next === undefined || !('goal' in next) || next.isPlain !== true) return false;
    return part.value !== undefined && parts.slice(0, at).some((before) => 'goal' in before);
  });
  const [option, rest] = [parts[found], parts[found + 1]];
  if (option === undefined || 'goal' in option || rest === undefined || !('goal' in rest)) return undefined;
  return option.value === undefined ? undefined : { ...option.value, rest: rest.goal };
}

export type UnquotedValue = { readonly flag: string; readonly given: string; readonly rest: string };

function partsOf(text: string): readonly (Option | Goal)[] {
  const parts: (Option | Goal)[] = [];
  let at = skipSpace(text, 0);
  while (at < text.length) {
    const found = isDashes(text, at)
      ? { end: text.length, goal: text.slice(at + 3) }
      : (optionAt(text, at) ?? quotedGoal(text, at) ?? plainGoal(text, at));
    parts.push(found);
    at = skipSpace(text, found.end);
  }
  return parts;
}

/** An option in the middle of a goal that may not be meant as part of it: an unclosed quote swallows it. */
export function optionIn(goal: string): string | undefined {
  for (let at = goal.indexOf('--'); at !== -1; at = goal.indexOf('--', at + 1)) {
    const name = at === 0 || /\s/u.test(goal[at - 1] ?? '') ? wordAt(goal, at) : undefined;
    if (name !== undefined && NAMES.has(name)) return `--${name}`;
  }
  return undefined;
}

type Option = {
  readonly end: number;
  readonly args: readonly string[];
  /** Its value may have several words, and was typed as one word without quotes. */
  readonly value?: { readonly flag: string; readonly given: string };
};
/** `isPlain`: it has no quotes, and no `--` before it. */
type Goal = { readonly end: number; readonly goal: string; readonly isPlain?: true };

/** Many programs have these options, so in the prose of a goal they belong to its subject. None of them applies in a session. */
const COMMON: ReadonlySet<string> = new Set(['dry-run', 'quiet', 'verbose']);

const NAMES: ReadonlyMap<string, boolean> = new Map([
  ...Object.entries(START_FLAGS)
    .filter(([name]) => !COMMON.has(name))
    .flatMap(([name, flag]) =>
      [name, ...flag.aliases].map((spelling) => [spelling, flag.placeholder !== null] as const),
    ),
  ['help', false],
]);
const OF_WORDS: ReadonlySet<string> = new Set(
  Object.entries(START_FLAGS).flatMap(([name, flag]) => (takesWords(flag) ? [name, ...flag.aliases] : [])),
);
/** Includes options of other commands: a user who types one means it, and should see that it does not apply here. */
const KNOWN: ReadonlySet<string> = new Set(
  [...NAMES.keys(), ...Object.keys(RUN_FLAGS), ...UNAVAILABLE_FLAGS.keys()].filter((name) => !COMMON.has(name)),
);
const CLOSING: Readonly<Record<string, string>> = { '"': '"', "'": "'", '“': '”', '„': '“”', '‘': '’', '«': '»' };
/** Longer than any option, so it cannot be a misspelling of one. */
const NAME_CHARS_MAX = 24;
const NAME = /--([A-Za-z][\w-]*)(?=[\s=]|$)/uy;

/** Does an option, or a misspelling of one, begin here in the middle of prose? */
function nameAt(text: string, at: number): string | undefined {
  const name = wordAt(text, at);
  if (name === undefined || name.length > NAME_CHARS_MAX) return undefined;
  if (KNOWN.has(name)) return name;
  // Comparing letter by letter is slow, and prose may have many such words: only names of similar length are compared.
  const alike = [...NAMES.keys()].filter((each) => Math.abs(each.length - name.length) <= Math.max(1, name.length / 3));
  return nearestWord(name, alike) === undefined ? undefined : name;
}

function wordAt(text: string, at: number): string | undefined {
  NAME.lastIndex = at;
  return NAME.exec(text)?.[1];
}

/** Where a goal could begin, anything that looks like an option is one: an unknown option is refused, and never becomes the goal. */
function optionAt(text: string, at: number): Option | undefined {
  const name = wordAt(text, at);
  if (name === undefined) return undefined;
  const after = at + 2 + name.length;
  if (text[after] === '=') {
    const value = valueAt(text, after + 1);
    return { end: value.end, args: [`--${name}=${value.text}`] };
  }
  const from = skipSpace(text, after);
  // A missing value, or one that looks like the next option, is left for the parser to report.
  if (NAMES.get(name) !== true || from >= text.length || nameAt(text, from) !== undefined)
    return { end: after, args: [`--${name}`] };
  const value = valueAt(text, from);
  const option = { end: value.end, args: [`--${name}=${value.text}`] };
  const isPlain = OF_WORDS.has(name) && value.text === text.slice(from, value.end);
  return isPlain ? { ...option, value: { flag: `--${name}`, given: value.text } } : option;
}

function valueAt(text: string, at: number): { readonly end: number; readonly text: string } {
  const close = closingAt(text, at, (end) => end >= text.length || /\s/u.test(text[end] ?? ''));
  if (close !== undefined) {
    const inner = text.slice(at + 1, close);
    return { end: close + 1, text: text[at] === '"' ? inner.replaceAll('\\"', '"') : inner };
  }
  let end = at;
  while (end < text.length && !/\s/u.test(text[end] ?? '')) end++;
  return { end, text: text.slice(at, end) };
}

function quotedGoal(text: string, at: number): Goal | undefined {
  const close = closingAt(text, at, (end) => isEndOfGoal(text, end));
  return close === undefined ? undefined : { end: close + 1, goal: text.slice(at + 1, close) };
}

/** The text ends here, or, after white space, an option begins. */
function isEndOfGoal(text: string, end: number): boolean {
  const next = skipSpace(text, end);
  return next >= text.length || (next > end && (wordAt(text, next) !== undefined || isDashes(text, next)));
}

/** Where the quote that opens at `at` is closed; `undefined` = there is no quote, or it is never closed and counts as text. */
function closingAt(text: string, at: number, closes: (end: number) => boolean): number | undefined {
  const opening = text[at] ?? '';
  const closing = CLOSING[opening];
  if (closing === undefined) return undefined;
  let isEscaped = false;
  for (let end = at + 1; end < text.length; end++) {
    const char = text[end] ?? '';
    if (closing.includes(char) && !isEscaped && closes(end + 1)) return end;
    isEscaped = opening === '"' && char === '\\' && !isEscaped;
  }
  return undefined;
}

function plainGoal(text: string, at: number): Goal {
  for (let end = text.indexOf('--', at + 1); end !== -1; end = text.indexOf('--', end + 1)) {
    if (/\s/u.test(text[end - 1] ?? '') && (nameAt(text, end) !== undefined || isDashes(text, end)))
      return { end, goal: text.slice(at, end).trimEnd(), isPlain: true };
  }
  return { end: text.length, goal: text.slice(at).trimEnd(), isPlain: true };
}

/** `--` alone. */
function isDashes(text: string, at: number): boolean {
  return /^--(?:\s|$)/u.test(text.slice(at, at + 3));
}

function skipSpace(text: string, at: number): number {
  let end = at;
  while (end < text.length && /\s/u.test(text[end] ?? '')) end++;
  return end;
}
