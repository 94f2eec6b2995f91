import type { ClaimFacts, NearClaim } from './evidence.ts';
import { linesOf, proseLines } from './prose-lines.ts';
import type { PromptMark } from './prompt-mark.ts';
import { indexOfPrompt, promptMark, trimLineEnds } from './prompt-mark.ts';
import { headWithin } from './quoting.ts';

/** How a claim is matched. Part of the spec, so that each dialect keeps its own rule. */
export type ClaimRule = {
  /** Any of these texts counts. */
  readonly texts: readonly string[];
  /** `text-as-written`: every character counts, as in a plain text search. */
  readonly form: 'tag-alone-on-line' | 'tag-anywhere' | 'text-anywhere' | 'text-as-written';
  readonly tag: string;
  /** Fold case and white space, on both sides. */
  readonly fold: boolean;
};

export const DEFAULT_CLAIM_TEXT = 'DONE';
export const NATIVE_CLAIM: ClaimRule = {
  texts: [DEFAULT_CLAIM_TEXT],
  form: 'tag-alone-on-line',
  tag: 'promise',
  fold: true,
};
export const BLOCKED_TAG = 'blocked';

const BLOCKED_BYTES_MAX = 2000;
const LAST_LINE_CHARS_MAX = 400;
/** Replaces a copy of the prompt. Not white space, so that cutting a copy out never leaves a tag alone on its line. */
const CUT_OUT = '\uFFFC';
/** A text can be this many times longer than its canonically equal composed form. */
const DECOMPOSED_FACTOR = 4;

type Wanted = { readonly text: string; readonly shape: string };

/**
 * What the agent's message claims. A missed claim costs one more turn, but a false one may end the loop. So anything that may only be talk about
 * the claim (quoted, in code, inside a sentence, an echo of the prompt or of the goal) does not count. Linear in the length of the message.
 * `prompt`: the prompt the agent was given, or the marks of its last prompts.
 */
export function findClaim(
  rule: ClaimRule,
  message: string,
  prompt: string | (() => readonly PromptMark[]),
  goal = '',
): ClaimFacts {
  // Without a closing tag there is no claim. That covers nearly every message, and marks can be expensive to compute.
  if (hasTag(rule) && !message.includes('</')) return { made: null, blocked: null };
  const asked = typeof prompt === 'string' ? [promptMark(prompt)] : prompt();
  if (rule.form === 'text-as-written')
    return { made: writtenText(rule, message, asked, goal), blocked: blockedWhy(proseLines(message)) };
  const unprompted = withoutEcho(rule, message, asked);
  // The prompt quotes the goal in a code block, and an agent that repeats it may drop the fence. A goal of one line may be the claim itself.
  const isRetold = rule.form === 'tag-alone-on-line' && linesOf(goal.trim()).length > 1;
  const text = isRetold ? withoutEcho(rule, unprompted, [promptMark(goal)]) : unprompted;
  const lines = proseLines(text);
  return { made: madeClaim(rule, text, lines), blocked: blockedWhy(lines) };
}

/**
 * A claim that was attempted but does not count: the tag inside a sentence, a list, a quote or code, or the bare text as the last line.
 * Tells the agent and the user what is missing when a message has no claim.
 */
export function findNearClaim(
  rule: ClaimRule,
  message: string,
  prompts: () => readonly PromptMark[],
): NearClaim | null {
  if (rule.form !== 'tag-alone-on-line') return null;
  const wanted = wantedOf(rule);
  if (message.includes('</')) {
    const own = withoutEcho(rule, message, prompts());
    const text = firstMatch(wanted, contentsAnywhere(own, rule.tag, rule.fold), rule.fold);
    if (text !== null) return { text, why: 'not-alone' };
  }
  const last = message.trimEnd().slice(-LAST_LINE_CHARS_MAX).split('\n').at(-1) ?? '';
  const text = firstMatch(wanted, [last.replaceAll(/^[\s*_#>`-]+|[\s*_`.!]+$/gu, '')], rule.fold);
  return text === null ? null : { text, why: 'no-tag' };
}

function wantedOf({ texts, fold }: ClaimRule): readonly Wanted[] {
  return texts.map((text) => ({ text, shape: shapeOf(text, fold) })).filter(({ shape }) => shape !== '');
}

function hasTag({ form }: ClaimRule): boolean {
  return form === 'tag-alone-on-line' || form === 'tag-anywhere';
}

function madeClaim(rule: ClaimRule, text: string, lines: readonly (string | null)[]): string | null {
  const wanted = wantedOf(rule);
  switch (rule.form) {
    case 'tag-alone-on-line':
      return firstMatch(wanted, contentsAlone(lines, rule.tag, rule.fold), rule.fold);
    case 'tag-anywhere':
      return firstMatch(wanted, contentsAnywhere(text, rule.tag, rule.fold), rule.fold);
    case 'text-anywhere':
      return textAnywhere(rule, text);
    case 'text-as-written':
      return writtenText(rule, text, [], '');
  }
}

/** The last one counts: an agent may name several obstacles and overcome some of them. */
function blockedWhy(lines: readonly (string | null)[]): string | null {
  const why = contentsAlone(lines, BLOCKED_TAG, true)
    .map((content) => content.replaceAll(/\s+/g, ' ').trim())
    .findLast((content) => content !== '');
  return why === undefined ? null : headWithin(why, BLOCKED_BYTES_MAX);
}

/** The contents of tags that stand alone on their line or lines. */
function contentsAlone(lines: readonly (string | null)[], tag: string, fold: boolean): string[] {
  const open = `<${tag}>`;
  const close = `</${tag}>`;
  const same = (part: string, whole: string): boolean =>
    part === whole || (fold && part.toLowerCase() === whole.toLowerCase());
  const contents: string[] = [];
  let inside: string[] | null = null;
  for (const each of lines) {
    const line: string = each?.trim() ?? '';
    const opened: boolean = same(line.slice(0, open.length), open);
    if (each === null) inside = null;
    else if (opened) inside = [line.slice(open.length)];
    else inside?.push(line);
    const last = inside?.at(-1);
    if (inside === null || last === undefined || !same(last.slice(-close.length), close)) continue;
    contents.push([...inside.slice(0, -1), last.slice(0, -close.length)].join('\n'));
    inside = null;
  }
  return contents;
}

/** The text between a closing tag and the nearest opening tag before it, anywhere in the message. */
function contentsAnywhere(text: string, tag: string, fold: boolean): string[] {
  const either = new RegExp(`<(/?)${tag.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)}>`, fold ? 'gi' : 'g');
  const contents: string[] = [];
  let start: number | null = null;
  for (const match of text.matchAll(either)) {
    if (match[1] === '/' && start !== null) contents.push(text.slice(start, match.index));
    start = match[1] === '/' ? null : match.index + match[0].length;
  }
  return contents;
}

function firstMatch(wanted: readonly Wanted[], contents: readonly string[], fold: boolean): string | null {
  const longest = Math.max(0, ...wanted.map(({ shape }) => shape.length)) * DECOMPOSED_FACTOR;
  for (const content of contents) {
    const trimmed = fold ? content.replaceAll(/\s+/g, ' ').trim() : content.trim();
    // Composing a long run of accents takes quadratic time, so text that is too long to match is not composed.
    if (trimmed.length > longest) continue;
    const shape = shapeOf(trimmed, fold);
    const found = wanted.find((each) => each.shape === shape);
    if (found !== undefined) return found.text;
  }
  return null;
}

/** The whole message is not composed (see `firstMatch`); instead the text is searched for in both of its usual forms. */
function textAnywhere(rule: ClaimRule, message: string): string | null {
  const haystack = rule.fold ? foldCase(message.replaceAll(/\s+/g, ' ')) : message;
  const found = rule.texts.find((text) => {
    const shape = shapeOf(text, rule.fold);
    const apart = rule.fold ? foldCase(shapeOf(text, true).normalize('NFD')) : shape.normalize('NFD');
    return shape !== '' && (haystack.includes(shape) || haystack.includes(apart));
  });
  return found ?? null;
}

/** One copy of each prompt is ignored, unless the prompt is just the text or the goal: we never send such a prompt. */
function writtenText(
  { texts }: ClaimRule,
  message: string,
  prompts: readonly PromptMark[],
  goal: string,
): string | null {
  const wanted = texts.filter((text) => text !== '');
  const [trimmed, trimmedGoal] = [trimLineEnds(message), trimLineEnds(goal).trim()];
  const isOurs = (echo: string): boolean =>
    echo !== trimmedGoal && wanted.some((text) => echo !== text && echo.includes(text));
  const rest = withoutCopies(trimmed, prompts, isOurs);
  // If nothing was cut out, every character counts.
  return wanted.find((text) => (rest === trimmed ? message.includes(text) : rest.includes(trimLineEnds(text)))) ?? null;
}

/** White space around a text is layout, whether or not case is folded. */
function shapeOf(text: string, fold: boolean): string {
  return fold ? foldCase(text.replaceAll(/\s+/g, ' ').trim().normalize('NFC')) : text.trim().normalize('NFC');
}

/** Lower case, then upper case: makes both kinds of sharp s, and both small sigmas, compare equal. */
function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase();
}

/**
 * The message without one copy of each prompt. A prompt that cannot be mistaken for a claim stays: cutting "Fix it" out of the claim
 * "Fix it all" would break a real claim. So does a prompt that is nothing but the claim: repeating it makes the claim.
 */
function withoutEcho(rule: ClaimRule, message: string, prompts: readonly PromptMark[]): string {
  return withoutCopies(trimLineEnds(message), prompts, (echo) => couldClaim(rule, echo) && !isOnlyClaim(rule, echo));
}

/** Longest first, because one prompt may be the beginning of another. `isTalk` gets the copy, which is the text of the prompt. */
function withoutCopies(text: string, prompts: readonly PromptMark[], isTalk: (echo: string) => boolean): string {
  let rest = text;
  for (const prompt of prompts.toSorted((a, b) => b.chars - a.chars)) {
    const at = indexOfPrompt(rest, prompt);
    const end = at + prompt.chars;
    if (at !== -1 && isTalk(rest.slice(at, end))) rest = rest.slice(0, at) + CUT_OUT + rest.slice(end);
  }
  return rest;
}

function couldClaim(rule: ClaimRule, prompt: string): boolean {
  if (rule.form === 'text-anywhere' && textAnywhere(rule, prompt) !== null) return true;
  const folded = prompt.toLowerCase();
  return folded.includes(`<${BLOCKED_TAG}>`) || (hasTag(rule) && folded.includes(`<${rule.tag.toLowerCase()}>`));
}

/** In a document without a goal, the claim is the goal. A bullet or a full stop around it makes no difference. */
function isOnlyClaim(rule: ClaimRule, prompt: string): boolean {
  if (rule.form !== 'text-anywhere') return false;
  const shapes = rule.texts.map((text) => shapeOf(text, rule.fold)).filter((shape) => shape !== '');
  const rest = shapes.reduce((left, shape) => left.replaceAll(shape, ' '), shapeOf(prompt, rule.fold));
  return !/[\p{L}\p{N}]/u.test(rest);
}
