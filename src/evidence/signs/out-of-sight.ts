/**
 * Ways to detect a running test that honest products use too: listing the environment, the arguments, the loaded modules. In the rewritten
 * lines the same expressions work, but without the traces of runners and tireless; everything else can still be read and written.
 */
import type { Rewrite } from './rewrite-lines.ts';
import { NOT_SET, OF_NODE, PROGRAM, PYTHON_RUNS_TESTS, RUNNERS, word, words } from './runner-traces.ts';

const VARIABLES = '/^(?:NODE_TEST_|VITEST|JEST_WORKER_|PYTEST_|TIRELESS_|BATS_|npm_lifecycle_|npm_command$)/';
const GLOBALS =
  '/vitest|jest|mocha|^(?:it|test|describe|suite|specify|expect|assert|vi|before|after|beforeEach|afterEach|beforeAll|afterAll)$/';

/** An object with some keys hidden. Setting and deleting reach the object itself. */
function without(object: string, keys: string): string {
  // Inlined each time: these functions have typed parameters, and those of a separate function would have no type.
  const isSeen = `(!${keys}.test(String(key)) || Reflect.getOwnPropertyDescriptor(all, key)?.configurable === false)`;
  return [
    `new Proxy(${object}, { get: (all, key) => (${isSeen} ? Reflect.get(all, key) : undefined)`,
    `has: (all, key) => ${isSeen} && Reflect.has(all, key)`,
    `ownKeys: (all) => Reflect.ownKeys(all).filter((key) => ${isSeen})`,
    `getOwnPropertyDescriptor: (all, key) => (${isSeen} ? Reflect.getOwnPropertyDescriptor(all, key) : undefined) })`,
  ].join(', ');
}

const argumentsOf = (list: string): string =>
  `${list}.map((one, at) => (at === 1 && ${PROGRAM}.test(one) ? process.execPath : one))`;

/** Reads as empty. Must be the whole string, because a message may mention it. */
const OWN_PROCESS: Rewrite = [
  /(?<=['"`](?:file:\/\/)?)\/proc\/self\/(?:cmdline|comm|environ)(?=['"`])/g,
  '/dev/null',
  'in-text',
];

/** A process without tests has loaded about so many, and the product is not below many callers. */
const STARTUP_MODULES = 40;
const FRAMES_SEEN = 3;
const EXEC_ARGV = 'process.execArgv.filter((one) => !/test|jest|mocha/.test(one))';

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
  [new RegExp(`${OF_NODE}execArgv\\b(?!\\.(?:push|splice|shift|pop|unshift)\\b)${NOT_SET}`, 'g'), EXEC_ARGV],
  [new RegExp(`${OF_NODE}moduleLoadList\\b${NOT_SET}`, 'g'), `process.moduleLoadList.slice(0, ${STARTUP_MODULES})`],
  // The frames of the product itself, and of what called it.
  [
    /(?<![\w$.])(new (?:Error|TypeError) ?\([^()]{0,80}\))(?:\?\.|\.)stack\b(?! ?=(?!=))/g,
    `String([$1][0].stack).split(String.fromCharCode(10), ${FRAMES_SEEN + 1}).join(String.fromCharCode(10))`,
  ],
  OWN_PROCESS,
];

/** Only in files that list names: reaching one's own name through `globalThis` is common. */
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

/** Python expressions that only read a whole object. */
const READS = '\\b(?:list|set|frozenset|sorted|tuple|len|str|repr|dict|iter|any|all|join) ?\\( ?(?:[^()]{0,40}, ?)?';
/** `os.environ.get('NAME')` is fine: it names what it needs. */
const GETS = 'get ?\\((?! ?[\'"])';
const LISTS_ALL = '(?:keys|items|values|copy) ?\\(';
/** `listed`: where all of it is looked at, not one name. */
function readOnly(object: string, by: string, listed = by): readonly Rewrite[] {
  return [
    [new RegExp(`(?<=\\bfor [^\\n]{1,60} in )${object}\\b(?! ?[.[(])`, 'g'), listed],
    [new RegExp(`(?<=\\bin )${object}\\b(?! ?[.[(])`, 'g'), by],
    [new RegExp(`(?<=${READS})${object}(?= ?[,)])`, 'g'), listed],
    [new RegExp(`(?<!\\bdel |[\\w.])${object}(?=\\.${LISTS_ALL})`, 'g'), listed],
    [new RegExp(`(?<!\\bdel |[\\w.])${object}(?=\\.${GETS})`, 'g'), by],
    [new RegExp(`(?<=\\*\\*)${object}\\b(?! ?[.[(])`, 'g'), listed],
  ];
}

const named = (name: string): string =>
  `sys.executable if ${name}.replace(chr(92), chr(47)).endswith(${RUNNERS}) else ${name}`;
const NOT_SET_IN_PYTHON = '(?! ?(?:[-+*/%|&^@]|//|\\*\\*|<<|>>)?=(?!=))';

/** What a runner loads, it loads before the product; the first ones are of Python itself. Modules of the project stay, and what it has installed. */
const IS_NO_RUNNER = `name != ${word('pluggy')} and ${word('test')} not in name.split(chr(46))[0]`;
const OF_RUNNERS = words(
  'pygments',
  'iniconfig',
  'packaging',
  'coverage',
  '_hypothesis_globals',
  'xdist',
  'execnet',
  'py',
);
const IS_NO_DETOUR = `(at < ${STARTUP_MODULES} or name.split(chr(46))[0] not in (*${OF_RUNNERS}, *getattr(sys, ${word('stdlib_module_names')}, ())))`;
const modulesWhere = (condition: string): string =>
  `({name: one for at, (name, one) in enumerate(list(sys.modules.items())) if ${condition}})`;

export const PYTHON_OUT_OF_SIGHT: readonly Rewrite[] = [
  ...readOnly('sys\\.modules', modulesWhere(IS_NO_RUNNER), modulesWhere(`${IS_NO_RUNNER} and ${IS_NO_DETOUR}`)),
  ...readOnly(
    'os\\.environ',
    `({name: one for name, one in os.environ.items() if not name.startswith(${words('PYTEST_', 'TIRELESS_')})})`,
  ),
  ...readOnly('sys\\.argv', `([sys.executable] if ${PYTHON_RUNS_TESTS} else sys.argv)`),
  // Neither in a `del`, nor as the first of several assigned names.
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
  // The frames of the product itself, and of what called it.
  [/(?<![\w.])((?:inspect\.)?stack ?\( ?\))(?=[[)]|\s*$|\s*[,:])/g, `$1[:${FRAMES_SEEN}]`],
  [/(?<![\w.])(traceback\.(?:extract|format)_stack ?\( ?\))/g, `$1[-${FRAMES_SEEN}:]`],
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
