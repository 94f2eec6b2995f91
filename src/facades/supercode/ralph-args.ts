import { Fault } from '../../core/fault.ts';
import { ITERATIONS_MAX_CEILING } from '../../core/loop.ts';
import { DEFAULT_COMPLETION_PROMISE, DEFAULT_MAX_ITERATIONS } from './ralph-loop.ts';

/** The typed arguments; flags that were not typed are absent. */
export type RalphArgs = { prompt: string; maxIterations?: number; completionPromise?: string };

type Token = { readonly start: number; readonly end: number; readonly text: string; readonly quoted: boolean };

const FLAGS = ['--max-iterations', '--completion-promise'];
/** A quoted text, a flag with a quoted value, or anything up to the next space. An apostrophe inside a word does not start a quote. */
const TOKEN = /(--[\w-]+=)?("(?:\\[\s\S]|[^"\\])*"|'[^']*')(?=\s|$)|\S+/gu;

/** `"task description" [--max-iterations=N] [--completion-promise=TEXT]`. Throws a Fault (USAGE) for anything else that looks like a flag. */
export function parseRalphArgs(args: string): { prompt: string; maxIterations: number; completionPromise: string } {
  return {
    maxIterations: DEFAULT_MAX_ITERATIONS,
    completionPromise: DEFAULT_COMPLETION_PROMISE,
    ...readRalphArgs(args),
  };
}

/** Flags may come before or after the task, as `--flag=value` or `--flag value`; `--` ends them. */
export function readRalphArgs(args: string): RalphArgs {
  const tokens = tokensOf(args);
  const given: Record<string, string> = {};
  const words: Token[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token === undefined) break;
    if (token.text === '--' && !token.quoted) {
      words.push(...tokens.slice(at + 1));
      break;
    }
    if (token.quoted || !token.text.startsWith('--')) {
      words.push(token);
      continue;
    }
    const [flag = '', ...value] = token.text.split('=');
    if (!FLAGS.includes(flag)) throw unknownFlag(flag);
    if (value.length === 0) at += 1;
    given[flag] = valueOf(flag, value.length === 0 ? tokens[at]?.text : value.join('='));
  }
  const [max, claim] = FLAGS.map((flag) => given[flag]);
  return {
    prompt: promptOf(args, words),
    ...(max === undefined ? {} : { maxIterations: iterationsOf(max) }),
    ...(claim === undefined ? {} : { completionPromise: claim }),
  };
}

function tokensOf(args: string): Token[] {
  return [...args.matchAll(TOKEN)].map((match) => {
    const [whole, flag = '', quote] = match;
    const text = quote === undefined ? whole : flag + unquoted(quote);
    return { start: match.index, end: match.index + whole.length, text, quoted: quote !== undefined && flag === '' };
  });
}

function unquoted(quote: string): string {
  const inner = quote.slice(1, -1);
  return quote.startsWith('"') ? inner.replaceAll(/\\(["\\])/gu, '$1') : inner;
}

/** A single quoted text is the task without its quotes; otherwise the words as typed, including line ends and inner quotes. */
function promptOf(args: string, words: readonly Token[]): string {
  const [only] = words;
  if (only === undefined) return '';
  if (words.length === 1 && only.quoted) return only.text.trim();
  let prompt = '';
  let end = only.start;
  for (const word of words) {
    const between = args.slice(end, word.start);
    prompt += (/^\s*$/u.test(between) ? between : ' ') + args.slice(word.start, word.end);
    end = word.end;
  }
  return prompt.trim();
}

function valueOf(flag: string, value: string | undefined): string {
  if (value !== undefined && value !== '') return value;
  throw new Fault('USAGE', `${flag} needs a value, as in ${flag}=${flag === FLAGS[0] ? '25' : 'ALL_FIXED'}.`);
}

function iterationsOf(value: string): number {
  const iterations = /^\d+$/u.test(value) ? Number(value) : 0;
  if (iterations >= 1 && iterations <= ITERATIONS_MAX_CEILING) return iterations;
  throw new Fault('USAGE', `--max-iterations takes a whole number from 1 to ${ITERATIONS_MAX_CEILING}, not ${value}.`);
}

function unknownFlag(flag: string): Fault {
  return new Fault(
    'USAGE',
    `${flag} is not an option of /ralph. It has ${FLAGS.join(' and ')}; put the task in quotes if it contains ${flag}.`,
  );
}
