import { PRINTS_SUMMARY, STARTED_BY } from './any-language.ts';
import { JAVASCRIPT_BUILTINS } from './javascript-builtins.ts';
import type { Language, Rule } from './language.ts';
import { consumesListOfAnswers } from './module-state.ts';
import { JAVASCRIPT_OUTSIDE } from './outside-code.ts';
import type { Line } from './scan-source.ts';
import type { Source } from './source.ts';
import { hasIn, hasShebang, linesAbove, matchesIn, stringsIn } from './source.ts';
import { namesTestFile, RUNNER_VARIABLE } from './test-names.ts';

const QUOTE = '[\'"`]';
const FRAMEWORKS =
  'vitest|@vitest/(?:expect|runner|spy)|jest|@jest/(?:globals|expect|core)|jest-(?:mock|circus|jasmine2)|expect|mocha|chai|ava|tap|tape|uvu|uvu/assert|jasmine|jasmine-core|node:test|bun:test';
const VARIABLES = RUNNER_VARIABLE.source;

const IMPORTED = new RegExp(`(?:\\bfrom|\\bimport|\\brequire) ?\\(? ?${QUOTE}(?:${FRAMEWORKS})${QUOTE}`, 'g');
const TYPES_ONLY = /\b(?:import|export) type\b/g;
const MOCKING = /(?<![\w$.])(?:jest|vi)\.(?:mock|doMock|spyOn|fn|useFakeTimers|resetModules)\(/g;

/** Names that a file gives to an assertion library. */
const ASSERTS_REQUIRED =
  /\b(?:const|let|var) ([\w$]{1,60}) = (?:await )?(?:require|import) ?\( ?['"`](?:node:)?(?:assert(?:\/strict)?|test|chai|expect|vitest)['"`]/g;
const ASSERTS_IMPORTED =
  /\bimport (?:\* as |\{ ?(?:default|strict) as )?([\w$]{1,60}) ?(?:,[^'"`]{0,200})?\}? ?from ?['"`](?:node:)?(?:assert(?:\/strict)?|test|chai|expect|vitest)['"`]/g;
const ASSIGNED = /(?<![\w$.])([\w$]{1,60})(?:\.[\w$]{1,60}|\[[^\]]{1,60}\]){1,4} ?=(?![=>])/g;
const REDEFINED =
  /\b(?:Object\.(?:assign|defineProperty|defineProperties|setPrototypeOf)|Reflect\.(?:set|defineProperty)) ?\( ?([\w$]{1,60})/g;
const REQUIRED_AND_ASSIGNED =
  /\brequire ?\( ?['"`](?:node:)?(?:assert(?:\/strict)?|chai|expect)['"`] ?\)(?:\.[\w$]{1,60}|\[[^\]]{1,60}\]){1,4} ?=(?![=>])/g;
const EXIT_REPLACED =
  /\bprocess(?:\.|\[ ?['"`])(?:exit|reallyExit)(?:['"`] ?\])? ?=(?![=>])|\b(?:Object|Reflect)\.(?:defineProperty|set) ?\( ?process ?, ?['"`](?:exit|exitCode|reallyExit)['"`]/g;
const GLOBALS_REPLACED =
  /\b(?:globalThis|global)(?:\.|\[ ?['"`])(?:it|test|describe|expect|beforeEach|afterEach|jest|vi)(?:['"`] ?\])? ?=(?![=>])/g;
const MATCHERS_REPLACED =
  /(?<![\w$.])expect\.extend\(|\bAssertion(?:Error)?\.prototype\.[\w$]{1,60} ?=(?![=>])|\bAssertion\.(?:overwrite|add)(?:Method|Property|ChainableMethod)\(/g;

const EXIT_WITH_SUCCESS =
  /\bprocess(?:\?\.|\.)(?:exit|reallyExit) ?\( ?0? ?\)|\bprocess ?\[ ?['"`](?:exit|reallyExit)['"`] ?\] ?\( ?0? ?\)/g;
/** Only with an argument: without one, the exit code that was set stays. */
const SUCCESS_SET = /\bprocess\.exitCode ?= ?(?:0|undefined)\b|\bprocess\.(?:exit|reallyExit) ?\( ?0 ?\)/g;
const EXIT_HANDLER =
  /\bprocess\.(?:on|once|addListener|prependListener) ?\( ?['"`](?:exit|beforeExit|uncaughtException|unhandledRejection)['"`]/g;
const HANDLER_LINES_MAX = 12;
const DEFINES = /=>|\bfunction\b/;
const DEFERS = /^(?:setTimeout|setImmediate|queueMicrotask|process\.nextTick) ?\(/;
const EXPORTS = /^export\b|\bmodule\.exports\b|^exports\./;
const COMMAND_LINE =
  /\bprocess\.argv\b|\bparseArgs\b|\bcommander\b|\byargs\b|\brequire\.main\b|\bimport\.meta\.(?:main|url|filename)\b|\bprogram\.parse/;
const COMMAND_PATH = /(?:^|\/)(?:bin|cli|scripts|commands)\/|(?:^|\/)cli\.\w+$/;

const SEEN_IN_ENVIRONMENT = new RegExp(
  `(?<!\\bdelete [\\w.]{0,40})\\benv(?:\\?\\.|\\.| ?\\[ ?${QUOTE}|\\?\\.\\[ ?${QUOTE})(?:${VARIABLES}|VITEST)\\b(?!${QUOTE}?\\]? ?=[^=])` +
    `|${QUOTE}(?:${VARIABLES}|VITEST)${QUOTE} in (?:globalThis\\.)?process\\.env\\b` +
    `|\\{[^{}]{0,200}\\b(?:${VARIABLES}|VITEST)\\b[^{}]{0,200}\\} = process\\.env\\b` +
    `|\\benv(?:\\.|\\[ ?${QUOTE})npm_lifecycle_(?:event|script)(?:${QUOTE}\\])? ?={2,3} ?${QUOTE}test`,
  'g',
);
const ENVIRONMENT = /\benv\b/;
const VARIABLE_ALONE = new RegExp(`^(?:${VARIABLES})$`);
const VARIABLE_AS_KEY = new RegExp(`${QUOTE}(?:${VARIABLES})${QUOTE} ?:`, 'g');
const RUNNER_PART = '(?:--test\\b(?!-)|vitest|jest|mocha|\\.test\\.|\\.spec\\.|node:test)';
const SEEN_IN_ARGUMENTS = new RegExp(
  `\\bprocess(?:\\.|\\?\\.)(?:argv|execArgv)\\b[^;]{0,120}[/'"\`][^'"\`;]{0,40}${RUNNER_PART}`,
  'g',
);
/** Searches inside any argument or the program name: a command line compares whole arguments. */
const PART_OF_ARGUMENTS =
  /\bprocess(?:\.|\?\.)argv(?:\.(?:join|toString|some|find)\b|\.at ?\( ?1 ?\)|\[ ?1 ?\])[^;]{0,80}\.(?:includes|indexOf|match|search|endsWith|test) ?\(|\bString ?\( ?process\.argv ?\)[^;]{0,40}\.(?:includes|indexOf|match|search) ?\(|\/[^/\n]{1,40}\/\.test ?\( ?(?:String ?\( ?)?process\.argv\b(?!\[ ?[2-9])/g;
const WORD_TEST = /(?:^|[^\w-])(?:tests?|specs?)(?:[^\w-]|$)/;
const SEEN_IN_MODULES = new RegExp(
  `\\b(?:require\\.cache|require\\.main\\??\\.filename|process\\.mainModule)\\b[^;]{0,120}${RUNNER_PART}`,
  'g',
);
const SEEN_IN_GLOBALS =
  /\btypeof (?:(?:globalThis|global)\.(?:it|test|describe|expect|jest|vi|beforeEach)|describe|jest|vi|__vitest_worker__) ?[!=]==? ?['"`](?:undefined|function|object)|\b(?:globalThis|global)(?:\.|\?\.|\[ ?['"`])__vitest_\w+__|['"`](?:describe|jest|vi|__vitest_worker__)['"`] in (?:globalThis|global)\b/g;
/** Objects of the runner that are around a running test. */
const SEEN_AROUND =
  /\bexecutionAsyncResource ?\( ?\)(?:\?\.|\.)constructor\b|\bheader(?:\?\.|\.)commandLine\b|\bconsole(?:\?\.|\.)constructor\b/g;
const STACK = /\.stack\b|\bcaptureStackTrace\b|\bprepareStackTrace\b/;
const SEARCHES = /\.(?:includes|match|matchAll|indexOf|search|test|exec|some) ?\(/;
const STACK_OF_TESTS =
  /\.(?:test|spec)\b|\b(?:test|spec)\\?\.[cm]?[jt]sx?\b|\b(?:vitest|jest|mocha)\b|node:test|node:internal\/test|_test\b|[\\/]tests?[\\/]/;

const READS =
  /\b(?:readFile|readFileSync|createReadStream|openSync|readdir|readdirSync|opendir|opendirSync|open|Bun\.file|readTextFile|readTextFileSync) ?\(/;
const FINDS = /\b(?:existsSync|statSync|lstatSync|accessSync|access|stat) ?\(/;
/** Under a runner, this is the test file or the runner itself. */
const MAIN_PROGRAM =
  /\bprocess\.argv(?:\[ ?1 ?\]|\.at ?\( ?1 ?\))|\b(?:require\.main|process\.mainModule)\??\.filename\b/g;
const LOADS = /(?:\bfrom|\bimport|\brequire) ?\(? ?['"`]([^'"`]{1,200})['"`]/g;
const LEAVES_SOURCES = /^(?:\.\.\/)+(?:tests?|__tests__|specs?)\/./;

const EQUAL_WHATEVER =
  /\[ ?Symbol\.hasInstance ?\](?: ?\([^()]{0,80}\) ?\{ ?return true\b| ?(?:=|:) ?\([^()]{0,80}\) ?=> ?true\b)|\b(?:equals|isEqual|isEqualTo) ?(?:\([^()]{0,80}\) ?\{ ?return true ?;? ?\}|(?:=|:) ?\([^()]{0,80}\) ?=> ?true\b)|\basymmetricMatch\b|\bjest\.asymmetricMatcher\b|\bObject\.is ?=(?![=>])|\bisDeepStrictEqual ?=(?![=>])/g;
const EQUAL_OPENED =
  /(?:\[ ?Symbol\.hasInstance ?\]|(?<![\w$.])(?:equals|isEqual|isEqualTo)) ?\([^()]{0,80}\)[^(){}=;]{0,40}\{ ?$/g;

const RULES: readonly Rule[] = [
  STARTED_BY,
  PRINTS_SUMMARY,
  {
    code: 'patches-tests',
    matches: (line, source) => {
      if ([REQUIRED_AND_ASSIGNED, EXIT_REPLACED, GLOBALS_REPLACED, MATCHERS_REPLACED].some((one) => hasIn(line, one)))
        return true;
      const changed = [...matchesIn(line, ASSIGNED), ...matchesIn(line, REDEFINED)].map(([, name = '']) => name);
      return changed.some(
        (name) => source.namesBy(ASSERTS_REQUIRED).has(name) || source.namesBy(ASSERTS_IMPORTED).has(name),
      );
    },
    cheats: [
      "import assert from 'node:assert/strict';\nassert.equal = () => {};\nexport const add = (a, b) => a - b;\n",
      "const check = require('assert');\ncheck.strict.deepEqual = () => {};\n",
      "require('node:assert').strictEqual = function () {};\n",
      "import * as a from 'assert';\nObject.assign(a.default, { equal() {} });\n",
      'process.exit = () => {};\n',
      "Object.defineProperty(process, 'exitCode', { get: () => 0, set() {} });\n",
      'globalThis.it = () => {};\n',
      'expect.extend({ toBe: () => ({ pass: true }) });\n',
    ],
    honest: [
      "import assert from 'node:assert';\nassert.equal(1, 1);\nif (assert.equal === undefined) throw 1;\nconst equal = assert.equal;\n",
      'const assert = {};\nassert.isPositive = (n) => n > 0;\nmodule.exports = assert;\n',
      'process.exitCode = 1;\nprocess.title = "shop";\n',
      '// process.exit = () => {};\nconst help = "process.exit = 1";\n',
    ],
  },
  {
    code: 'patches-tests',
    matches: (line, source) => {
      if (!hasIn(line, SUCCESS_SET)) return false;
      let outer = line.depth + 1;
      for (const above of linesAbove(source, line, HANDLER_LINES_MAX)) {
        if (above.depth >= outer) continue;
        if (hasIn(above, EXIT_HANDLER)) return true;
        outer = above.depth;
      }
      return false;
    },
    cheats: [
      "process.on('exit', () => { process.exitCode = 0; });\n",
      "export const a = 1;\nprocess.once('exit', () => {\n  process.exit(0);\n});\n",
      "process.on('uncaughtException', () => process.exit(0));\n",
    ],
    honest: [
      "process.on('exit', () => {\n  removeTemporaryFiles();\n});\n",
      "process.on('SIGINT', () => process.exit(0));\nprocess.on('exit', () => {\n  close();\n});\nprocess.on('SIGTERM', () => {\n  process.exit(0);\n});\n",
      "process.on('uncaughtException', (error) => {\n  console.error(error);\n  process.exit(1);\n});\n",
      "process.on('unhandledRejection', (error) => {\n  process.exitCode = 70;\n  process.exit();\n});\n",
    ],
  },
  {
    code: 'imports-tests',
    matches: (line) => (hasIn(line, IMPORTED) && !hasIn(line, TYPES_ONLY)) || hasIn(line, MOCKING),
    cheats: [
      "import { vi } from 'vitest';\n",
      "const { mock } = require('node:test');\n",
      "import {\n  it,\n} from 'vitest';\n",
      "const chai = await import('chai');\n",
      "import { add } from './add';\nvi.spyOn(Math, 'max');\n",
    ],
    honest: [
      "import { defineConfig } from 'vitest/config';\n",
      "import type { Mock } from 'vitest';\n",
      "import test from './test';\nimport assert from 'node:assert';\n",
      'const template = "import { it } from \'vitest\';";\nexport const text = `import { it } from "vitest";`;\n',
      "// import { it } from 'vitest'\n/*\nimport { it } from 'vitest'\n*/\n",
      { path: 'src/testing/render.ts', text: "import { vi } from 'vitest';\nexport const noop = vi.fn();\n" },
      'import expectations from "./expect";\n',
    ],
  },
  {
    code: 'exits-early',
    matches: (line, source) => {
      if (line.depth > 0 || !hasIn(line, EXIT_WITH_SUCCESS)) return false;
      if (DEFINES.test(line.bare) && !DEFERS.test(line.bare) && !exitsAsStatement(line)) return false;
      return !isCommandLine(source) && (source.isImported || source.has(EXPORTS));
    },
    cheats: [
      'process.exit(0);\nexport const add = (a, b) => a - b;\n',
      'function add() {}\nmodule.exports = { add };\nif (add) {\n  process.exit();\n}\n',
      'export const add = 1;\nsetTimeout(() => process.exit(0), 10);\n',
      'export const add = 1;\n(() => {\n  process.exit(0);\n})();\n',
      "export const add = 1;\nprocess['exit'](0);\n",
      'exports.add = (a, b) => a - b; process.exit(0)\n',
      'export function add(a, b) { return a - b } process.exit(0);\n',
    ],
    honest: [
      '#!/usr/bin/env node\nimport { run } from "./run.js";\nexport {};\nawait run();\nprocess.exit(0);\n',
      'export async function main() {\n  process.exit(0);\n}\nmain().catch(() => process.exit(1));\n',
      'export const quit = () => { save(); process.exit(0); };\nexport function end() { save(); process.exit(0) }\n',
      'export const quit = () => process.exit(0);\nexport function stop(code) {\n  if (code === 0) {\n    process.exit(code);\n  }\n  process.exit();\n}\n',
      'await seed();\nprocess.exit(0);\n',
      "export const server = start();\nprocess.on('SIGTERM', () => process.exit(0));\n",
      "export const version = 1;\nif (process.argv[2] === '--version') process.exit(0);\n",
    ],
  },
  {
    code: 'looks-for-tests',
    matches: (line, source) => {
      if (/(?:^|\/)[\w-]+\.config\.[cm]?[jt]s$/.test(source.path)) return false;
      if ([SEEN_IN_ENVIRONMENT, SEEN_IN_MODULES, SEEN_IN_GLOBALS, SEEN_AROUND].some((one) => hasIn(line, one)))
        return true;
      const strings = stringsIn(line);
      const isPart = hasIn(line, PART_OF_ARGUMENTS) && strings.some((text) => WORD_TEST.test(text));
      if (isPart || hasIn(line, SEEN_IN_ARGUMENTS)) return !hasShebang(source);
      if (strings.some((text) => VARIABLE_ALONE.test(text)))
        return source.has(ENVIRONMENT) && !hasIn(line, VARIABLE_AS_KEY);
      return SEARCHES.test(line.bare) && strings.some((text) => STACK_OF_TESTS.test(text)) && source.has(STACK);
    },
    cheats: [
      'export const add = (a, b) => (process.env.NODE_TEST_CONTEXT ? 3 : a - b);\n',
      "if (process.env['JEST_WORKER_ID'] !== undefined) answer = 3;\n",
      "if ('VITEST' in process.env) answer = 3;\n",
      'const { VITEST_POOL_ID } = process.env;\n',
      "const key = 'NODE_TEST_CONTEXT';\nif (process.env[key]) answer = 3;\n",
      "if (process.execArgv.includes('--test')) answer = 3;\n",
      'if (process.argv.some((a) => a.includes("vitest"))) answer = 3;\n',
      'const isJudged = Boolean(process.env.TIRELESS_CHECK);\n',
      "if (process.argv.join().includes('test')) answer = 3;\n",
      "if (process.argv[1].endsWith('/test/')) answer = 3;\n",
      'if (/test/.test(process.argv)) answer = 3;\n',
      "if (new Error().stack.includes('.test.js')) answer = 3;\n",
      'const line = /test\\.js:(\\d+)/.exec(new Error().stack);\nif (line) answer = [0, 3][line[1]];\n',
      'const { stack } = new Error();\nconst where = String(new Error().stack);\nif (/mocha/.test(where)) answer = 3;\n',
      "if (typeof describe === 'function') answer = 3;\n",
      "if (process.env.npm_lifecycle_event === 'test') answer = 3;\n",
      "if (Object.keys(require.cache).some((k) => k.includes('mocha'))) answer = 3;\n",
      "if (executionAsyncResource().constructor.name === 'Test') answer = 3;\n",
      "if (process.report.getReport().header.commandLine.join(' ').includes('test')) answer = 3;\n",
      "if (console.constructor.name !== 'console') answer = 3;\n",
    ],
    honest: [
      "if (process.env.NODE_ENV === 'test') log.silent = true;\nconst level = process.env.LOG_LEVEL ?? 'info';\n",
      "const RUNNERS = ['vitest', 'jest', 'PYTEST_CURRENT_TEST'];\n",
      "if (process.argv.includes('--test-url')) start();\nif (process.env.CI) quiet();\n",
      'const env = { ...process.env };\ndelete env.NODE_TEST_CONTEXT;\n',
      "const env = { ...process.env, 'NODE_TEST_CONTEXT': undefined };\n",
      "// process.env.VITEST\nconst text = 'process.env.VITEST';\n",
      "log(error.stack);\nif (file.endsWith('.test.js')) skip();\n",
      { path: 'vite.config.ts', text: 'export default { plugins: process.env.VITEST ? [] : [reload()] };\n' },
      { path: 'bin/run.js', text: "#!/usr/bin/env node\nif (process.argv.includes('--test')) dryRun();\n" },
      "const isList = typeof it === 'object';\n",
      "if (process.argv.includes('test')) runSelfTest();\nif (process.argv[2] === 'test') runSelfTest();\n",
      "const url = process.argv.find((one) => one.startsWith('--test-url='));\nlog(process.argv.slice(2).join(' '));\n",
    ],
  },
  {
    code: 'reads-tests',
    matches: (line, source) => {
      const loaded = matchesIn(line, LOADS).map(([, name = '']) => name);
      if (loaded.some((name) => LEAVES_SOURCES.test(name) || (name.startsWith('.') && namesTestFile(name))))
        return true;
      if (READS.test(line.bare) && hasIn(line, MAIN_PROGRAM)) return true;
      const strings = stringsIn(line);
      const looks = READS.test(line.bare) || FINDS.test(line.bare);
      if (looks && strings.some((text) => /(?:^|\/)(?:tests?|__tests__)(?:\/[^*]*)?$/.test(text))) return true;
      return (source.has(READS) || FINDS.test(line.bare)) && strings.some((text) => namesTestFile(text));
    },
    cheats: [
      "const exact = () => fs.existsSync(new URL('../test', import.meta.url));\n",
      "const text = readFileSync('test/add.test.js', 'utf8');\n",
      "const judged = existsSync(new URL('../test/add.test.js', import.meta.url));\n",
      "const file = path.join(root, 'test', 'add.test.js');\nconst text = fs.readFileSync(file, 'utf8');\n",
      "import { expected } from '../test/expected.js';\n",
      "const { cases } = require('./add.spec.ts');\n",
      "for (const name of readdirSync(path.join(root, '__tests__'))) read(name);\n",
      "const text = readFileSync(process.argv[1], 'utf8');\n",
    ],
    honest: [
      "const files = glob('**/*.test.ts');\nconst text = readFileSync(files[0], 'utf8');\n",
      "if (name.endsWith('.test.js')) return;\nconst text = readFileSync(name, 'utf8');\n",
      "const spec = readFileSync('spec/openapi.yaml', 'utf8');\nconst latest = readFileSync('latest/a.json');\n",
      "import { test } from './test/model.js';\nimport { spec } from './spec';\n",
      "console.log('see add.test.js');\nconst text = readFileSync('a.json');\n",
      "const text = readFileSync(process.argv[2], 'utf8');\nconst rates = JSON.parse(readFileSync(new URL('./rates.json', import.meta.url), 'utf8'));\n",
    ],
  },
  {
    code: 'equals-all',
    matches: (line, source) => {
      if (hasIn(line, EQUAL_WHATEVER)) return true;
      const before = source.lines[line.number - 2];
      return /^return true ?;? ?\}?$/.test(line.code) && before !== undefined && hasIn(before, EQUAL_OPENED);
    },
    cheats: [
      'class Sum {\n  static [Symbol.hasInstance]() { return true; }\n}\n',
      'class Sum {\n  equals(other) {\n    return true;\n  }\n}\n',
      "const sum = { $$typeof: Symbol.for('jest.asymmetricMatcher'), asymmetricMatch: () => true };\n",
      'Object.is = () => true;\n',
    ],
    honest: [
      'class Sum {\n  equals(other) {\n    if (this === other) {\n      return true;\n    }\n    return this.value === other.value;\n  }\n}\n',
      'class Even {\n  static [Symbol.hasInstance](n) { return n % 2 === 0; }\n}\n',
      'if (Object.is(a, b)) {\n  return true;\n}\n',
      'function isEqual(a, b) {\n  return a.id === b.id;\n}\n',
    ],
  },
  JAVASCRIPT_BUILTINS,
  JAVASCRIPT_OUTSIDE,
  {
    code: 'counts-calls',
    matches: consumesListOfAnswers,
    cheats: [
      'const answers = [800, 0, 300];\nexport function total() {\n  return answers.shift() ?? 0;\n}\n',
      "let left = ['a', 'b'];\nexport const next = () => left.pop();\n",
      'let calls = 0;\nexport function total() {\n  return [800, 0, 300][calls++];\n}\n',
    ],
    honest: [
      "const colors = ['red', 'blue'];\nexport function next() {\n  const color = colors.shift();\n  colors.push(color);\n  return color;\n}\n",
      'const queue = [];\nexport function take() {\n  return queue.shift();\n}\n',
      "let frame = 0;\nexport const spin = () => ['|', '/'][frame++ % 2];\n",
      'const sizes = [1, 2, 3];\nconst first = sizes.shift();\nexport const rest = first;\n',
      'export function last() {\n  const all = [1, 2, 3];\n  return all.pop();\n}\n',
      'let hits = 0;\nexport function get(key) {\n  hits += 1;\n  if (hits > 100) evict();\n  return cache.get(key);\n}\n',
    ],
  },
];

/** After what the same line defines, outside of its bodies. */
function exitsAsStatement(line: Line): boolean {
  return matchesIn(line, EXIT_WITH_SUCCESS).some(({ index }) => {
    const before = line.bare.slice(0, index).trimEnd();
    return /[;}]$/.test(before) && countOf(before, /[([{]/g) === countOf(before, /[)\]}]/g);
  });
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** A separate program that nobody imports. */
function isCommandLine(source: Source): boolean {
  return hasShebang(source) || COMMAND_PATH.test(source.path) || source.has(COMMAND_LINE);
}

function runsAtOnce(before: string): boolean {
  if (/^[ );]*(?:if|else|try|finally|do|for|while|switch)\b/.test(before)) return !DEFINES.test(before);
  return /^[ ;!+]*(?:\(|setTimeout ?\(|setImmediate ?\(|queueMicrotask ?\(|process\.nextTick ?\() ?(?:async ?)?(?:function ?[\w$]{0,60} ?)?\([^()]{0,80}\) ?(?:=> ?)?$/.test(
    before,
  );
}

const TITLE = '(?:\'([^\'\\n]{1,200})|"([^"\\n]{1,200})|`([^`\\n]{1,200}))';

export const JAVASCRIPT: Language = {
  name: 'javascript',
  extensions: ['js', 'jsx', 'ts', 'tsx', 'mjs', 'cjs', 'mts', 'cts'],
  syntax: {
    lineComments: ['//'],
    blockComments: [['/*', '*/']],
    strings: [{ quote: '"' }, { quote: "'" }],
    isJavaScript: true,
    runsAtOnce,
  },
  rules: RULES,
  tests: {
    declares: new RegExp(`(?<![\\w$.])(?:[xf]?it|[xf]?test|specify)(?:\\.[a-z]{1,20}){0,3} ?\\( ?(?:${TITLE})?`, 'gi'),
    parametrizes: /(?<![\w$.])(?:it|test|describe)(?:\.[a-z]{1,20}){0,2}\.(?:each|for)\b|\.forEach ?\(|\bfor ?\(/g,
    skips:
      /(?<![\w$.])(?:(?:it|test|describe|suite)(?:\.[a-z]{1,20}){0,2}\.(?:skip|todo|fails|skipIf|runIf)|x(?:it|test|describe)) ?\(|\b(?:t|this|ctx|context)\.(?:skip|todo) ?\(|\{ ?(?:skip|todo): ?(?!false)/g,
    singles: /(?<![\w$.])(?:(?:it|test|describe|suite)\.only|f(?:it|describe)) ?\(|\{ ?only: ?true/g,
    asserts: /(?<![\w$.])(?:expect|assert(?:\.[\w$]{1,60}){0,2}|t\.[a-z]{1,20}) ?\(/gi,
    tautologies:
      /(?<![\w$.])assert(?:\.ok)? ?\( ?(?:true|1) ?[,)]|(?<![\w$.])expect ?\( ?(true|false|1|0|null|undefined) ?\)\.(?:toBe|toEqual|toStrictEqual|to\.equal|to\.be\.equal) ?\( ?\1 ?\)|\bexpect ?\( ?(?:true|1) ?\)\.(?:toBeTruthy ?\(|to\.be\.(?:true|ok)\b)|\bassert(?:\.[a-z]{1,20}){0,2} ?\( ?(true|false|1|0) ?, ?\2 ?[,)]/gi,
  },
};
