import { parseArgs } from 'node:util';
import { Fault } from '../core/fault.ts';
import { nearestWord } from '../views/nearest-word.ts';
import { UNAVAILABLE_FLAGS } from './unavailable.ts';

/** One row of a command's table, used for parsing, validation and help. */
export type Flag<T> = {
  readonly help: string;
  /** `null` = a switch. */
  readonly placeholder: string | null;
  /** A switch that also takes a value after `=`. */
  readonly inline?: readonly string[];
  /** A switch that also takes any value after `=`; this is the placeholder for that value. */
  readonly optional?: string;
  readonly many: boolean;
  /** A value may begin with a dash, so that `-1` is refused as a bad value and not as an unknown flag. */
  readonly dashed: boolean;
  readonly aliases: readonly string[];
  /** The values that shells offer; others may be valid too. */
  readonly choices?: readonly string[];
  /** One letter, without its dash. */
  readonly short?: string;
  readonly absent: T;
  /** Throws `USAGE` on an invalid value. */
  readonly add: (before: T, value: string, name: string) => T;
};

// oxlint-disable-next-line typescript/no-explicit-any -- A table contains flags of every type; `Values` restores the type of each.
export type FlagTable = Readonly<Record<string, Flag<any>>>;

export type Values<F extends FlagTable> = { readonly [K in keyof F]: F[K] extends Flag<infer T> ? T : never };

export type Parsed<F extends FlagTable> = {
  readonly words: readonly string[];
  readonly values: Values<F>;
  readonly help: boolean;
};

export function text(placeholder: string, help: string): Flag<string | undefined> {
  return { ...value(placeholder, help, (given) => given), dashed: false };
}

export function texts(placeholder: string, help: string, ...aliases: string[]): Flag<readonly string[]> {
  return { help, placeholder, many: true, dashed: false, aliases, absent: [], add: append };
}

function append(before: readonly string[], given: string): readonly string[] {
  return [...before, given];
}

export function value<T>(
  placeholder: string,
  help: string,
  parse: (given: string, name: string) => T,
): Flag<T | undefined> {
  return {
    help,
    placeholder,
    many: false,
    dashed: true,
    aliases: [],
    absent: undefined,
    add: (_, given, name) => parse(given, name),
  };
}

export function toggle(help: string): Flag<boolean> {
  return { help, placeholder: null, many: true, dashed: false, aliases: [], absent: false, add: () => true };
}

/** `''` = it was given without a value. */
export function optional(placeholder: string, help: string): Flag<string | undefined> {
  return { ...value(placeholder, help, (given) => given), placeholder: null, optional: placeholder };
}

/**
 * The words and the flags of a command, or a `USAGE` fault that names the mistake and the nearest known flag. An unknown flag never counts as a word:
 * a misspelt limit would otherwise become part of the goal, and the loop would have no limit.
 */
export function parseFlags<F extends FlagTable>(table: F, args: readonly string[], command = 'COMMAND'): Parsed<F> {
  const rows = rowsOf(table);
  const options = Object.fromEntries(
    [...rows].map(([name, { flag }]) => [
      name,
      {
        type: flag.placeholder === null ? ('boolean' as const) : ('string' as const),
        ...(flag.short === undefined ? {} : { short: flag.short }),
      },
    ]),
  );
  const { tokens } = parseArgs({
    args: [...args],
    options: { ...options, help: { type: 'boolean', short: 'h' } },
    strict: false,
    tokens: true,
    allowPositionals: true,
  });
  if (WORDS_OF[command] === 'goal') refuseSplitGoal(tokens, rows);
  const found = new Map<string, unknown>();
  const words: string[] = [];
  let help = false;
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    refuseOddWord(args[token.index] ?? '', token.rawName, command);
    if (token.name === 'help' && token.value === undefined) {
      help = true;
      continue;
    }
    const row = rows.get(token.name);
    if (row === undefined || !(token.rawName.startsWith('--') || token.rawName === `-${row.flag.short}`))
      throw unknownFlag(token.rawName, [...rows.keys()], command);
    const { flag, name } = row;
    if (found.has(name) && !flag.many) throw new Fault('USAGE', `The flag --${name} was given twice. Give it once.`);
    const given = valueOf(flag, token);
    found.set(name, flag.add(found.get(name) ?? flag.absent, given, `--${token.name}`));
  }
  const values = Object.fromEntries(
    Object.entries(table).map(([name, flag]) => [name, found.has(name) ? found.get(name) : flag.absent]),
  );
  // The loop above stored the result of each flag under its name; the compiler cannot follow a map.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- See above.
  return { words, values: values as Values<F>, help };
}

type OptionToken = {
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
};

function valueOf(flag: Flag<unknown>, { rawName, value: given, inlineValue }: OptionToken): string {
  if (flag.placeholder === null) {
    if (given === undefined || flag.optional !== undefined) return given ?? '';
    if (flag.inline?.includes(given) === true) return given;
    const allowed =
      flag.inline === undefined
        ? 'takes no value'
        : `takes no value except ${flag.inline.map((each) => `"${each}"`).join(', ')}`;
    throw new Fault('USAGE', `The flag ${rawName} ${allowed}, but got "${given}". Write ${rawName} alone.`);
  }
  if (given === undefined)
    throw new Fault('USAGE', `The flag ${rawName} needs a value: ${rawName} ${flag.placeholder}.`);
  if (inlineValue !== true && given.startsWith('-') && given !== '-' && !flag.dashed) {
    throw new Fault(
      'USAGE',
      `The flag ${rawName} needs a value, but "${given}" after it looks like a flag. If it is the value, write ${rawName}=${given}.`,
    );
  }
  return given;
}

/** `-h` alone is a flag; a quoted `-h is ignored` is somebody's goal, and must not print help. */
function refuseOddWord(word: string, rawName: string, command: string): void {
  const isGroup = !word.startsWith('--') && word.length > 2;
  const isText = word.startsWith('--') && /\s/.test(word.split('=')[0] ?? '');
  if (!isGroup && !isText) return;
  const shown = isGroup ? word.split(/\s/)[0] : rawName.split(/\s/)[0];
  const what = WORDS_OF[command];
  const hint =
    what === undefined
      ? `"tireless help ${command}" lists its flags`
      : `If the ${what} begins with it, put the ${what} after "--"`;
  throw new Fault('USAGE', `Unknown flag ${shown}. ${hint}.`);
}

function unknownFlag(rawName: string, known: readonly string[], command: string): Fault {
  const name = rawName.replace(/^-+/, '');
  const planned = UNAVAILABLE_FLAGS.get(name);
  if (planned !== undefined)
    return new Fault('USAGE', `The flag --${name} is not part of this version of tireless (${planned}). Leave it out.`);
  const close = nearestWord(name, [...known, 'help']);
  const suggestion = close === undefined ? '' : ` Did you mean --${close}?`;
  const hint = close === undefined ? dashHint(command) : '';
  return new Fault('USAGE', `Unknown flag ${rawName}.${suggestion} "tireless help ${command}" lists its flags${hint}.`);
}

/** Which commands take text as their words, and what the text is. */
const WORDS_OF: Readonly<Record<string, 'goal' | 'text'>> = {
  run: 'goal',
  start: 'goal',
  score: 'goal',
  steer: 'text',
  reject: 'text',
};

function dashHint(command: string): string {
  const words = WORDS_OF[command];
  return words === undefined ? '' : `; put a ${words} that begins with a dash after "--"`;
}

type Token =
  | ({ readonly kind: 'option'; readonly name: string } & OptionToken)
  | { readonly kind: 'positional'; readonly value: string }
  | { readonly kind: 'option-terminator' };

/**
 * `run make it pass --check npm test`: the rest of a value that needed quotes would silently become part of the goal. Before the goal that shows
 * only where the goal has quotes of its own: `run --agent-args --model opus "make it pass"`.
 */
function refuseSplitGoal(tokens: readonly Token[], rows: ReturnType<typeof rowsOf>): void {
  const first = tokens.findIndex(({ kind }) => kind === 'positional');
  for (const [at, token] of tokens.entries()) {
    const next = tokens[at + 1];
    if (token.kind !== 'option' || next?.kind !== 'positional') continue;
    const { value: given = '', inlineValue, rawName } = token;
    const flag = rows.get(token.name)?.flag;
    if (flag === undefined || !takesWords(flag) || inlineValue !== false || /\s/u.test(`${given}${next.value}`))
      continue;
    const isQuoted = tokens.slice(at + 2).some((later) => later.kind === 'positional' && /\s/u.test(later.value));
    if (first < at || (given.startsWith('-') && isQuoted)) throw splitGoal(rawName, given, next.value);
  }
}

/** The placeholders of flags whose value may have several words. */
const WORDS: ReadonlySet<string | null> = new Set(['CMD', 'TEXT', 'ARGS']);

export function takesWords({ placeholder }: Pick<Flag<unknown>, 'placeholder'>): boolean {
  return WORDS.has(placeholder);
}

export function splitGoal(flag: string, given: string, rest: string): Fault {
  const assigned = given.startsWith('-') ? '=' : ' ';
  return new Fault(
    'USAGE',
    `"${rest}" after ${flag} ${given} would become part of the goal. If it belongs to ${flag}, use quotes: ${flag}${assigned}"${given} ${rest}". If it belongs to the goal, put ${flag} before the goal.`,
  );
}

function rowsOf(table: FlagTable): ReadonlyMap<string, { readonly name: string; readonly flag: Flag<unknown> }> {
  return new Map(
    Object.entries(table).flatMap(([name, flag]) =>
      [name, ...flag.aliases].map((spelling) => [spelling, { name, flag }] as const),
    ),
  );
}
