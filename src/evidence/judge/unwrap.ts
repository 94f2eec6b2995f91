import type { Interpreter, Wrapper } from './ecosystem.ts';
import { ECOSYSTEMS } from './registry.ts';

const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map(
  ECOSYSTEMS.flatMap((ecosystem) => ecosystem.wrappers).map((wrapper) => [wrapper.name, wrapper]),
);
const INTERPRETERS: ReadonlyMap<string, Interpreter> = new Map(
  ECOSYSTEMS.flatMap((ecosystem) => ecosystem.interpreters).map((interpreter) => [interpreter.name, interpreter]),
);
const RUNNERS: ReadonlySet<string> = new Set(ECOSYSTEMS.flatMap((ecosystem) => ecosystem.runners));
const WRAPPED_MAX = 10;

/** `DIR=x timeout 10 npx vitest run` -> vitest run */
export function unwrap(words: readonly string[]): readonly string[] {
  let rest = words;
  for (let round = 0; round < WRAPPED_MAX; round++) {
    while (/^[A-Za-z_]\w*=/.test(rest[0] ?? '')) rest = rest.slice(1);
    const wrapper = WRAPPERS.get(nameOf(rest[0] ?? ''));
    if (wrapper === undefined) return rest;
    let at = 1;
    const skipOptions = (): void => {
      while ((rest[at] ?? '').startsWith('-')) at += wrapper.valueOptions?.includes(rest[at] ?? '') === true ? 2 : 1;
    };
    skipOptions();
    if (wrapper.commands !== undefined) {
      if (!wrapper.commands.includes(rest[at] ?? '')) return rest;
      at += 1;
      skipOptions();
    }
    at += wrapper.skip ?? 0;
    skipOptions();
    if (at >= rest.length) return rest;
    rest = rest.slice(at);
  }
  return rest;
}

/** What an interpreter runs. */
export type Run = {
  readonly files: readonly string[];
  /** Files that are loaded first; does not include the file itself. */
  readonly loaded: readonly string[];
  readonly module?: string;
  /** Code passed as a word (`-c`, `-e`). */
  readonly code?: string;
  readonly rest: readonly string[];
};

export function readRun(words: readonly string[]): Run | undefined {
  const interpreter = INTERPRETERS.get(nameOf(words[0] ?? ''));
  if (interpreter === undefined) return undefined;
  const loaded: string[] = [];
  let at = 1;
  if (interpreter.commands !== undefined && interpreter.commands.includes(words[at] ?? '')) at += 1;
  for (; at < words.length; at++) {
    const word = words[at] ?? '';
    const next = words[at + 1];
    const [option, value] = word.startsWith('--') ? splitOption(word) : [word];
    if (!/^[-+]./.test(word)) break;
    if (interpreter.moduleOption === word && next !== undefined) {
      return { files: [], loaded, module: next, rest: words.slice(at + 2) };
    }
    if (/^-[a-z]*[ce]$/.test(word) && interpreter.valueOptions?.includes(word) !== true) {
      return { files: [], loaded, rest: [], ...(next === undefined ? {} : { code: next }) };
    }
    if (interpreter.loadOptions?.includes(option) === true) {
      if (value !== undefined) loaded.push(value);
      else if (next !== undefined) loaded.push(words[++at] ?? '');
    } else if (interpreter.valueOptions?.includes(option) === true && value === undefined) at += 1;
  }
  return { files: words.slice(at, at + 1), loaded, rest: words.slice(at + 1) };
}

/** Does the program take test files as arguments? For example `pytest`, `node --test`, `go test`. */
export function isRunner(words: readonly string[]): boolean {
  const name = nameOf(words[0] ?? '');
  return RUNNERS.has(name) || words.slice(1, 4).some((word) => RUNNERS.has(`${name} ${word}`));
}

/** `/usr/bin/python3.11` -> python3 */
export function nameOf(word: string): string {
  const base = word.slice(word.lastIndexOf('/') + 1);
  if (base === '') return word;
  return /^(python|ruby|php|node|perl|pypy|lua)\d/.test(base)
    ? base.replace(/^(python3|python2|[a-z]+).*$/, '$1')
    : base;
}

function splitOption(word: string): readonly [string, string?] {
  const at = word.indexOf('=');
  return at === -1 ? [word] : [word.slice(0, at), word.slice(at + 1)];
}
