/**
 * Tests that live inside product files: examples in the docstrings of Python and in the doc comments of Rust, and blocks that only vitest
 * runs. The rest of such a file is the agent's. Tests that its text no longer contains are appended, so that they run as well.
 */
import path from 'node:path';

/** `key`: the text that must still be found for the test to be unchanged. `lines`: the code that runs it, wherever it is in the file. */
type InlineTest = { readonly name: string; readonly key: string; readonly lines: string };

type Reader = {
  readonly testsIn: (text: string) => readonly InlineTest[];
  readonly add: (text: string, tests: readonly InlineTest[]) => string;
};

/** Per file; further tests are left as they are. */
const TESTS_MAX = 500;

const append = (text: string, tests: readonly InlineTest[]): string =>
  `${text.trimEnd()}\n\n${tests.map(({ lines }) => lines).join('\n\n')}\n`;

const PYTHON: Reader = { testsIn: pythonExamples, add: addPythonExamples };
const RUST: Reader = { testsIn: rustExamples, add: append };
const SCRIPT: Reader = { testsIn: vitestBlocks, add: append };
const READERS: ReadonlyMap<string, Reader> = new Map([
  ['.py', PYTHON],
  ['.rs', RUST],
  ...['.js', '.mjs', '.jsx', '.ts', '.mts', '.tsx'].map((extension) => [extension, SCRIPT] as const),
]);

export function mayHaveInlineTests(file: string): boolean {
  return READERS.has(path.extname(file));
}

/** `text`: includes the tests of the baseline that were missing from it. `changed`: their names. */
export function withInlineTests(
  file: string,
  work: string,
  baseline: string,
): { readonly text: string; readonly changed: readonly string[] } {
  const reader = READERS.get(path.extname(file));
  const before = reader?.testsIn(baseline).slice(0, TESTS_MAX) ?? [];
  if (reader === undefined || before.length === 0) return { text: work, changed: [] };
  const now = reader.testsIn(work).map(({ key }) => key);
  const missing = before.filter(({ key }) => !now.some((one) => one.includes(key)));
  if (missing.length === 0) return { text: work, changed: [] };
  return { text: reader.add(work, missing), changed: [...new Set(missing.map(({ name }) => name))] };
}

const DOCSTRING = /(?<prefix>\b[rRuU])?(?<quotes>"""|''')(?<content>[\s\S]*?)\k<quotes>/g;
const DEFINED = /^[ \t]*(?:async )?(?:def|class) (\w{1,80})/gm;

function pythonExamples(text: string): readonly InlineTest[] {
  if (!text.includes('>>>')) return [];
  return [...text.matchAll(DOCSTRING)].flatMap((match, index): InlineTest[] => {
    const { prefix = '', quotes = '"""', content = '' } = match.groups ?? {};
    const key = exampleLines(content).join('\n');
    if (key === '') return [];
    const owner = [...text.slice(0, match.index).matchAll(DEFINED)].at(-1)?.[1];
    const name = `example of ${owner ?? 'the module'}`;
    return [{ name, key, lines: `    "${name} (${index + 1})": ${prefix}${quotes}${content}${quotes},` }];
  });
}

/** Input and expected output, without indentation. An example ends with a blank line. */
function exampleLines(content: string): readonly string[] {
  const lines: string[] = [];
  let isInside = false;
  for (const line of content.split('\n').map((one) => one.trim())) {
    isInside = line.startsWith('>>>') || (isInside && line !== '');
    if (isInside) lines.push(line);
  }
  return lines;
}

const MAIN = /^if __name__\b/m;

/** `doctest` also runs the entries of a module's `__test__`. */
function addPythonExamples(text: string, tests: readonly InlineTest[]): string {
  const end = MAIN.exec(text)?.index ?? text.length;
  const added = [
    '',
    '',
    '__test__ = {',
    '    **(globals().get("__test__") or {}),',
    ...tests.map(({ lines }) => lines),
    '}',
    '',
    '',
  ];
  return `${text.slice(0, end).trimEnd()}\n${added.join('\n')}${text.slice(end)}`;
}

const DOC_LINE = /^\s*\/\/[/!] ?(.*)$/;
const FENCE = /^\s*(`{3,}|~{3,})\s*([\w,\s]*)$/;
const OTHER_LANGUAGE = /^(?!.*\brust\b).*\b(?!should_panic|no_run|compile_fail|edition\d+)[a-z]\w*/;

function rustExamples(text: string): readonly InlineTest[] {
  const found: InlineTest[] = [];
  let open: { readonly info: string; readonly lines: string[] } | undefined;
  for (const line of text.split('\n')) {
    const [, doc] = DOC_LINE.exec(line) ?? [];
    if (doc === undefined) open = undefined;
    else if (!FENCE.test(doc)) open?.lines.push(doc);
    else if (open === undefined) open = { info: FENCE.exec(doc)?.[2]?.trim() ?? '', lines: [] };
    else {
      const isRun = !OTHER_LANGUAGE.test(open.info) && !open.info.includes('ignore');
      if (isRun && open.lines.length > 0) found.push(rustExample(open.info, open.lines, found.length + 1));
      open = undefined;
    }
  }
  return found;
}

function rustExample(info: string, lines: readonly string[], number: number): InlineTest {
  const docs = ['```'.concat(info), ...lines, '```'].map((line) => `/// ${line}`.trimEnd());
  return {
    name: `example ${number}`,
    key: `${info}\n${lines.map((line) => line.trim()).join('\n')}\n`,
    lines: [...docs, '#[allow(dead_code)]', `fn example_of_the_start_${number}() {}`].join('\n'),
  };
}

const VITEST_BLOCK = /\bif\s*\(\s*import\.meta\.vitest\s*\)\s*\{/g;

function vitestBlocks(text: string): readonly InlineTest[] {
  return [...text.matchAll(VITEST_BLOCK)].map((match, index) => {
    const lines = text.slice(match.index, blockEnd(text, match.index + match[0].length));
    return {
      name: `tests in the file${index === 0 ? '' : ` ${index + 1}`}`,
      key: lines.replaceAll(/\s+/g, ' '),
      lines,
    };
  });
}

const SCRIPT_TOKEN = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`|[{}]/g;

/** The position after the brace that closes the block; the end of the text if there is none. */
function blockEnd(text: string, from: number): number {
  let open = 1;
  SCRIPT_TOKEN.lastIndex = from;
  for (let token = SCRIPT_TOKEN.exec(text); token !== null; token = SCRIPT_TOKEN.exec(text)) {
    if (token[0] === '{') open += 1;
    else if (token[0] === '}') open -= 1;
    if (open === 0) return token.index + 1;
  }
  return text.length;
}
