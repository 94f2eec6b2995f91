/** Where runners can be seen, for the rewritten lines: neither quotes nor backslashes, because a line may be a string with code in it. */

/** `process.`, but not as a property of another object, as a type, or in a `delete`. */
export const OF_NODE =
  '(?<!\\b(?:typeof|delete) |[\\w$]|(?<!\\.\\.)\\.)(?:(?:globalThis|global)(?:\\?\\.|\\.))?process(?:\\?\\.|\\.)';
/** No assignment follows. */
export const NOT_SET = '(?! ?(?:\\?\\?|\\|\\||&&|[-+*])?=(?!=))';

/** The program name: the file of a test, or the runner. A program that a test starts keeps its name. `[-^` contains the backslash. */
export const PROGRAM =
  '/[.](?:test|spec)[.][cm]?[jt]sx?$|[/[-^](?:__tests__|tests?)[/[-^][^/[-^]+$|[/[-^](?:vitest|jest|jest-worker|mocha|ava|tap|tinypool)(?:[/[-^.]|$)/';

/** In the process that loads the test files. */
export const RUNS_TESTS: string = `${PROGRAM}.test(String(process.argv[1]))`;

/** A string of Python without quotes. */
export const word = (text: string): string => `bytes((${[...Buffer.from(text)].join(', ')},)).decode()`;
export const words = (...texts: readonly string[]): string => `(${texts.map(word).join(', ')},)`;

export const RUNNERS: string = words(
  '/pytest',
  '/pytest/__main__.py',
  '/py.test',
  '/unittest/__main__.py',
  ' -m unittest',
  ' -m pytest',
);

/** The same in Python. `sys` may not be imported. */
export const PYTHON_RUNS_TESTS: string = `(__import__(${word('sys')}).argv or [str()])[0].replace(chr(92), chr(47)).endswith(${RUNNERS})`;
