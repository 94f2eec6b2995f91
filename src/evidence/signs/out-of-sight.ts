/**
 * Ways to find out that a test runs which honest products use too: listing the environment, the arguments, the loaded modules. In the rewritten
 * lines the same expressions work, without what runners and tireless leave there; everything else can still be read and written.
 */
import type { Rewrite } from './rewrite-lines.ts';

/** `process.`, but not the property of another object; neither its type nor what is deleted. */
export const OF_NODE =
  '(?<!\\b(?:typeof|delete) |[\\w$]|(?<!\\.\\.)\\.)(?:(?:globalThis|global)(?:\\?\\.|\\.))?process(?:\\?\\.|\\.)';
/** No assignment follows. */
export const NOT_SET = '(?! ?(?:\\?\\?|\\|\\||&&|[-+*])?=(?!=))';

const VARIABLES = '/^(?:NODE_TEST_|VITEST|JEST_WORKER_|PYTEST_|TIRELESS_|BATS_|npm_lifecycle_|npm_command$)/';
const GLOBALS =
  '/vitest|jest|mocha|^(?:it|test|describe|suite|specify|expect|assert|vi|before|after|beforeEach|afterEach|beforeAll|afterAll)$/';

/** An object of which some keys cannot be seen. Setting and deleting reach the object itself. */
function without(object: string, keys: string): string {
  // Written out each time: the parameters of these functions have types, those of a function of its own would have none.
  const isSeen = `(!${keys}.test(String(key)) || Reflect.getOwnPropertyDescriptor(all, key)?.configurable === false)`;
  return [
    `new Proxy(${object}, { get: (all, key) => (${isSeen} ? Reflect.get(all, key) : undefined)`,
    `has: (all, key) => ${isSeen} && Reflect.has(all, key)`,
    `ownKeys: (all) => Reflect.ownKeys(all).filter((key) => ${isSeen})`,
    `getOwnPropertyDescriptor: (all, key) => (${isSeen} ? Reflect.getOwnPropertyDescriptor(all, key) : undefined) })`,
  ].join(', ');
}

/** The program name: the file of a test, or the runner. A program that a test starts keeps its name. `[-^` contains the backslash. */
const PROGRAM =
  '/[.](?:test|spec)[.][cm]?[jt]sx?$|[/[-^](?:__tests__|tests?)[/[-^][^/[-^]+$|[/[-^](?:vitest|jest|jest-worker|mocha|ava|tap|tinypool)(?:[/[-^.]|$)/';
const argumentsOf = (list: string): string =>
  `${list}.map((one, at) => (at === 1 && ${PROGRAM}.test(one) ? process.execPath : one))`;

/** Reads as empty. The whole string: a message may mention it. */
const OWN_PROCESS: Rewrite = [
  /(?<=['"`](?:file:\/\/)?)\/proc\/self\/(?:cmdline|comm|environ)(?=['"`])/g,
  '/dev/null',
  'in-text',
];

const ENV = without('process.env', VARIABLES);
const ARGV = argumentsOf('process.argv');

const SCRIPT_OUT_OF_SIGHT: readonly Rewrite[] = [
  [new RegExp(`${OF_NODE}env\\b(?!(?:\\?\\.|\\.)[\\w$]|(?:\\?\\.)?\\[ ?['"\`]\\w*['"\`] ?\\])${NOT_SET}`, 'g'), ENV],
  [
    new RegExp(`${OF_NODE}env(?:\\?\\.|\\.)npm_(?:command|lifecycle_event|lifecycle_script)\\b${NOT_SET}`, 'g'),
    'undefined',
  ],
  [
    new RegExp(
      `${OF_NODE}argv\\b(?!\\.(?:push|splice|shift|pop|unshift|length)\\b|\\[[^\\]]{1,40}\\] ?[-+*?|&]{0,2}=(?!=))${NOT_SET}`,
      'g',
    ),
    ARGV,
  ],
  [
    /(?<=\{[^{}]{0,200}\b(?:env|argv)\b[^{}]{0,200}\} = )process\b(?![.?[(])/g,
    `Object.create(process, { env: { value: ${ENV} }, argv: { value: ${ARGV} } })`,
  ],
  [
    /\bimport \{ ?env ?\} from (['"](?:node:)?process['"]);?/g,
    `import { env as allOfEnv } from $1; const env = ${without('allOfEnv', VARIABLES)};`,
  ],
  [
    /\bimport \{ ?argv ?\} from (['"](?:node:)?process['"]);?/g,
    `import { argv as allOfArgv } from $1; const argv = ${argumentsOf('allOfArgv')};`,
  ],
  OWN_PROCESS,
];

/** Only in files that list what there is: reaching a name of one's own through `globalThis` is common. */
const LISTS = /\b(?:keys|entries|ownKeys|getOwnProperty\w{1,20}) ?\(|\bin globalThis\b/;
const GLOBAL_OUT_OF_SIGHT: readonly Rewrite[] = [
  [
    // Not a property in braces, nor a parameter.
    /(?<!\b(?:typeof|var|let|const) |[\w$.]|\bfunction\b[^()]{0,60}\([^()]{0,80})globalThis\b(?! ?(?:\.|\?\.|\[|=>)| ?=(?!=)|(?<=[{,] ?globalThis) ?\}|(?<=\{ ?globalThis) ?,)/g,
    without('globalThis', GLOBALS),
  ],
];

export function scriptOutOfSight(text: string): readonly Rewrite[] {
  return LISTS.test(text) ? [...SCRIPT_OUT_OF_SIGHT, ...GLOBAL_OUT_OF_SIGHT] : SCRIPT_OUT_OF_SIGHT;
}

/** Places where Python code only reads a whole object. */
const READS = '\\b(?:list|set|frozenset|sorted|tuple|len|str|repr|dict|iter|any|all|join) ?\\( ?(?:[^()]{0,40}, ?)?';
/** `os.environ.get('NAME')` names what it needs. */
const METHODS = '(?:keys|items|values|copy) ?\\(|get ?\\((?! ?[\'"])';
function readOnly(object: string, by: string): readonly Rewrite[] {
  return [
    [new RegExp(`(?<=\\bin )${object}\\b(?! ?[.[(])`, 'g'), by],
    [new RegExp(`(?<=${READS})${object}(?= ?[,)])`, 'g'), by],
    [new RegExp(`(?<!\\bdel |[\\w.])${object}(?=\\.(?:${METHODS}))`, 'g'), by],
    [new RegExp(`(?<=\\*\\*)${object}\\b(?! ?[.[(])`, 'g'), by],
  ];
}

/** A string of Python without quotes. */
const word = (text: string): string => `bytes((${[...Buffer.from(text)].join(', ')},)).decode()`;
const words = (...texts: readonly string[]): string => `(${texts.map(word).join(', ')},)`;

const RUNNERS = words(
  '/pytest',
  '/pytest/__main__.py',
  '/py.test',
  '/unittest/__main__.py',
  ' -m unittest',
  ' -m pytest',
);
const named = (name: string): string =>
  `sys.executable if ${name}.replace(chr(92), chr(47)).endswith(${RUNNERS}) else ${name}`;
const NOT_SET_IN_PYTHON = '(?! ?(?:[-+*/%|&^@]|//|\\*\\*|<<|>>)?=(?!=))';

export const PYTHON_OUT_OF_SIGHT: readonly Rewrite[] = [
  ...readOnly(
    'sys\\.modules',
    `({name: one for name, one in sys.modules.items() if name != ${word('pluggy')} and ${word('test')} not in name.split(chr(46))[0]})`,
  ),
  ...readOnly(
    'os\\.environ',
    `({name: one for name, one in os.environ.items() if not name.startswith(${words('PYTEST_', 'TIRELESS_')})})`,
  ),
  ...readOnly('sys\\.argv', `[(one if at else (${named('one')})) for at, one in enumerate(sys.argv)]`),
  // Neither what is deleted, nor the first of several names that are set.
  [
    new RegExp(
      `(?<!\\bdel |[\\w.])sys\\.argv\\[ ?0 ?\\](?!(?<=^\\s*sys\\.argv\\[ ?0 ?\\]) ?,)${NOT_SET_IN_PYTHON}`,
      'g',
    ),
    `(${named('sys.argv[0]')})`,
  ],
  [
    new RegExp(`(?<!\\bdel |[\\w.])sys\\.orig_argv\\b${NOT_SET_IN_PYTHON}`, 'g'),
    `[one for one in sys.orig_argv if ${word('test')} not in one]`,
  ],
  [/(?<=^\s*)import __main__$/g, "__main__ = __import__('types').ModuleType('__main__')"],
  [/\bfind_spec ?\( ?(['"])_?pytest\1/g, 'find_spec($1no_such_runner$1'],
  OWN_PROCESS,
];

export const RUST_OUT_OF_SIGHT: readonly Rewrite[] = [
  [
    /\benv::vars\(\)(?=\s*\.)/g,
    'env::vars().filter(|(name, _)| !name.starts_with("CARGO") && !name.starts_with("RUST") && !name.starts_with("TIRELESS"))',
  ],
  [/\boption_env!\( ?"CARGO_(?:TARGET_TMPDIR|BIN_EXE_\w+)" ?\)/g, 'None::<&str>'],
];
