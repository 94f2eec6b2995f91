/** How tests of one language are planted. The texts of tests come from the baseline; unreadable ones are left as they are. */
export type Planter = {
  readonly extensions: readonly string[];
  /**
   * What a line of product code needs to reach anything but its own values, such as a global object, another module or a name that is
   * assembled at run time. Broad on purpose: a match refuses nothing and only costs one more run.
   */
  readonly reaches: RegExp;
  readonly plant: (text: string, tag: number) => PlantedTests | undefined;
  /** A line with another expected value; `undefined` if it compares nothing, or if that is not certain. */
  readonly otherExpectation: (line: string, replace: Replace) => string | undefined;
  /** Statements at the start of a line that load a module; global. */
  readonly loads: RegExp;
  /** A file that fails as soon as it is loaded, without loading anything else. */
  readonly broken: (tag: number) => string;
};

/**
 * One test file, in two versions that both have two more tests that must fail. `wrong`: with changed expected values. `raising`: raises an
 * error where the same values would be compared, so that exactly the tests that compare them fail. `values`: how many there are.
 */
export type PlantedTests = { readonly wrong: string; readonly raising: string; readonly values: number };

/** Returns the replacement for an expected value; `undefined` if it is not a plain value. */
export type Replace = (literal: string) => string | undefined;

/** Another value of the same kind; `undefined` if the literal is not a plain one. */
function otherValue(literal: string): string | undefined {
  if (/^-?\d{1,12}(?:\.\d{1,12})?$/.test(literal)) return `${Number(literal) + 1}`;
  if (/^(?:'[^'\\\n]*'|"[^"\\\n]*")$/.test(literal)) return `${literal.slice(0, -1)}~${literal.slice(-1)}`;
  return OPPOSITES.get(literal);
}

const OPPOSITES: ReadonlyMap<string, string> = new Map([
  ['true', 'false'],
  ['false', 'true'],
  ['True', 'False'],
  ['False', 'True'],
]);

export type Argument = { readonly at: number; readonly text: string };

const CLOSES: ReadonlyMap<string, string> = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
]);

/** The arguments of a call whose parenthesis opens before `from`; `undefined` unless it closes on the same line. */
export function argumentsIn(line: string, from: number): readonly Argument[] | undefined {
  const found: Argument[] = [];
  const open: string[] = [];
  let quote = '';
  let start = from;
  for (let at = from; at < line.length; at += 1) {
    const character = line.charAt(at);
    if (quote !== '') {
      if (character === '\\') at += 1;
      else if (character === quote) quote = '';
    } else if (`'"\``.includes(character)) quote = character;
    else if (CLOSES.has(character)) open.push(CLOSES.get(character) ?? '');
    else if (open.length === 0 && (character === ',' || character === ')')) {
      found.push(argumentAt(line, start, at));
      start = at + 1;
      if (character === ')') return found;
    } else if (character === open.at(-1)) open.pop();
  }
  return undefined;
}

function argumentAt(line: string, start: number, end: number): Argument {
  const raw = line.slice(start, end);
  return { at: start + raw.length - raw.trimStart().length, text: raw.trim() };
}

/** The line with another expected value; `undefined` if none can be identified with certainty. */
export function withOtherValue(line: string, { at, text }: Argument, replace: Replace): string | undefined {
  const other = replace(text);
  return other === undefined ? undefined : line.slice(0, at) + other + line.slice(at + text.length);
}

/** Of `assert.equal(actual, expected)`, whichever of the two is a literal; not if both are. */
export function withOtherValueOf(line: string, pair: readonly Argument[], replace: Replace): string | undefined {
  const [one, two] = pair;
  if (one === undefined || two === undefined) return undefined;
  const changed = [withOtherValue(line, two, replace), withOtherValue(line, one, replace)].filter(
    (text) => text !== undefined,
  );
  return changed.length === 1 ? changed[0] : undefined;
}

/** Both versions of a text, before tests are added. `raises`: an expression. */
export function twoVersions(
  text: string,
  raises: string,
  change: (line: string, replace: Replace) => string | undefined,
): PlantedTests {
  let values = 0;
  const lines = text.split('\n');
  const wrong = lines.map((line) => {
    const other = change(line, otherValue);
    if (other !== undefined) values += 1;
    return other ?? line;
  });
  const raise: Replace = (literal) => (otherValue(literal) === undefined ? undefined : raises);
  const raising = lines.map((line) => change(line, raise) ?? line);
  return { wrong: wrong.join('\n'), raising: raising.join('\n'), values };
}
