/**
 * Ways to find out that a test runs which honest products use too: listing the environment, the arguments, the loaded modules. In the rewritten
 * lines the same expressions work, without what runners and tireless leave there; everything else can still be read and written.
 * The JavaScript contains no quotes, so that a line that only mentions such an expression in a string stays a line that compiles.
 */

/** What is searched for, and what takes its place. */
export type Rewrite = readonly [RegExp, string];

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

/** The program name: the file of a test, or the runner. A program that a test starts keeps its name. */
const PROGRAM =
  '/[.](?:test|spec)[.][cm]?[jt]sx?$|[/\\\\](?:__tests__|tests?)[/\\\\][^/\\\\]+$|[/\\\\](?:vitest|jest|jest-worker|mocha|ava|tap|tinypool)(?:[/\\\\.]|$)/';
const argumentsOf = (list: string): string =>
  `${list}.map((one, at) => (at === 1 && ${PROGRAM}.test(one) ? process.execPath : one))`;

/** Reads as empty. */
const OWN_PROCESS: Rewrite = [/\/proc\/self\/(?:cmdline|comm|environ)\b/g, '/dev/null'];

const ENV = without('process.env', VARIABLES);
const ARGV = argumentsOf('process.argv');

const SCRIPT_OUT_OF_SIGHT: readonly Rewrite[] = [
  [
    /(?<!\btypeof )\bprocess(?:\?\.|\.)env\b(?!(?:\?\.|\.)[\w$]|(?:\?\.)?\[ ?['"`]\w*['"`] ?\]| ?=[^=]|, NODE_ENV: \(\/dev)/g,
    ENV,
  ],
  [/\bprocess(?:\?\.|\.)env(?:\?\.|\.)npm_(?:command|lifecycle_event|lifecycle_script)\b(?! ?=[^=])/g, 'undefined'],
  [
    /(?<!\btypeof )\bprocess(?:\?\.|\.)argv\b(?! ?=[^=]|\.(?:push|splice|shift|pop|unshift|length)\b|\[[^\]]{1,40}\] ?=[^=])/g,
    ARGV,
  ],
  [
    /(\{[^{}]{0,200}\b(?:env|argv)\b[^{}]{0,200}\} = )process\b(?![.?[(])/g,
    `$1Object.create(process, { env: { value: ${ENV} }, argv: { value: ${ARGV} } })`,
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
  [/(?<!\btypeof |[\w$.])globalThis\b(?! ?(?:\.|\?\.|\[)| ?=[^=])/g, without('globalThis', GLOBALS)],
];

export function scriptOutOfSight(text: string): readonly Rewrite[] {
  return LISTS.test(text) ? [...SCRIPT_OUT_OF_SIGHT, ...GLOBAL_OUT_OF_SIGHT] : SCRIPT_OUT_OF_SIGHT;
}

/** Places where Python code only reads a whole object. */
const READS = '\\b(?:list|set|frozenset|sorted|tuple|len|str|repr|dict|iter|any|all|join) ?\\( ?(?:[^()]{0,40}, ?)?';
function readOnly(object: string, by: string): readonly Rewrite[] {
  return [
    [new RegExp(`(\\bin )${object}\\b(?! ?[.[(])`, 'g'), `$1${by}`],
    [new RegExp(`(${READS})${object}(?= ?[,)])`, 'g'), `$1${by}`],
    [new RegExp(`(?<!\\bdel )\\b${object}(?=\\.(?:keys|items|values|copy|get) ?\\()`, 'g'), by],
    [new RegExp(`\\*\\*${object}\\b`, 'g'), `**${by}`],
  ];
}

const RUNNERS = "('/pytest', '/pytest/__main__.py', '/py.test', '/unittest/__main__.py', ' -m unittest', ' -m pytest')";
const NAME = `(sys.executable if sys.argv[0].replace(chr(92), '/').endswith(${RUNNERS}) else sys.argv[0])`;

export const PYTHON_OUT_OF_SIGHT: readonly Rewrite[] = [
  ...readOnly(
    'sys\\.modules',
    "{name: one for name, one in sys.modules.items() if name != 'pluggy' and 'test' not in name.split('.')[0]}",
  ),
  ...readOnly(
    'os\\.environ',
    "{name: one for name, one in os.environ.items() if not name.startswith(('PYTEST_', 'TIRELESS_'))}",
  ),
  ...readOnly('sys\\.argv', `[${NAME}, *sys.argv[1:]]`),
  [/\bsys\.argv\[ ?0 ?\](?! ?=[^=])/g, NAME],
  [/\bsys\.orig_argv\b/g, "[one for one in sys.orig_argv if 'test' not in one]"],
  [/^(\s*)import __main__$/g, "$1__main__ = __import__('types').ModuleType('__main__')"],
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
