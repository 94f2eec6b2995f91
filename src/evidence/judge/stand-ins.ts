/**
 * Added files that win the search for a module which tests import: `same.mjs` or a folder `same/` next to the helper `same.js`, or a new
 * `fractions.py` in front of Python's own. The judge's file is unchanged then, and nobody reads it.
 */
import path from 'node:path';
import { foldersOf } from './path-index.ts';

export type StandInRequest = {
  /** Paths of the baseline. */
  readonly paths: ReadonlySet<string>;
  readonly isJudges: (file: string) => boolean;
  /** Packages that tests import by name. */
  readonly packages: readonly string[];
  /** Where the checks run, from the root. */
  readonly at: string;
  readonly readText: (file: string) => string | undefined;
};

const MODULE = /\.(?:[cm]?[jt]sx?|json|node|py|pyc|pyd|so|rb|php)$/;
const TYPES_ONLY = /\.d\.[cm]?ts$|\.pyi$/;
/** `same.cpython-311-x86_64-linux-gnu.so` */
const ENDING = /(?:\.(?:cpython|abi3|cp\d)[^/]{0,60})?\.[a-z]{1,4}$/;
const ENTRY = /(?:^|\/)(?:index|__init__)$/;
/** Folders on Python's search path. */
const PYTHON_ROOTS = ['', 'src', 'lib', 'python'];
const PYTHON_MANIFEST = /^(?:requirements[\w.-]{0,60}\.(?:txt|in)|pyproject\.toml|setup\.(?:py|cfg)|Pipfile)$/;

/** Does a file that the agent added stand in for what tests import? */
export function findStandIns(request: StandInRequest): (file: string) => boolean {
  const { paths, isJudges, at } = request;
  let stems: ReadonlySet<string> | undefined;
  let foreign: ReadonlySet<string> | undefined;
  const judgeStems = (): ReadonlySet<string> =>
    (stems ??= new Set([...paths].filter((file) => MODULE.test(file) && isJudges(file)).map(stemOf)));
  return (file) => {
    if (paths.has(file) || !MODULE.test(file) || TYPES_ONLY.test(file)) return false;
    // It names the module that an import of its folder means.
    if (file.endsWith('/package.json')) return judgeStems().has(path.posix.dirname(file));
    if ([stemOf(file), ...foldersOf(file)].some((stem) => judgeStems().has(stem) && !isFolder(paths, stem, file)))
      return true;
    foreign ??= foreignModules(request);
    const name = pythonModule(file, at);
    return name !== undefined && foreign.has(name);
  };
}

/** Next to other files of the baseline in the same folder, it is one more file of that folder. */
function isFolder(paths: ReadonlySet<string>, stem: string, file: string): boolean {
  if (!file.startsWith(`${stem}/`)) return false;
  for (const each of paths) if (each.startsWith(`${stem}/`)) return true;
  return false;
}

/** What an import of the module is written as: without ending, and without the name of its entry. */
function stemOf(file: string): string {
  return file.replace(ENDING, '').replace(ENTRY, '');
}

/** The first name of the module, if the file is in a folder that Python searches. */
function pythonModule(file: string, at: string): string | undefined {
  if (!/\.(?:py|pyc|pyd|so)$/.test(file)) return undefined;
  for (const root of ['', at].flatMap((base) => PYTHON_ROOTS.map((name) => path.posix.join(base, name)))) {
    const inside = root === '.' || root === '' ? file : file.startsWith(`${root}/`) ? file.slice(root.length + 1) : '';
    const [first = '', ...rest] = inside.split('/');
    if (rest.length === 0 && first !== '') return first.replace(ENDING, '');
    if (rest.length === 1 && rest[0]?.startsWith('__init__.') === true) return first;
  }
  return undefined;
}

/** Modules that tests import and that come with Python or from a package: not those that the agent is to write. */
function foreignModules({ paths, packages, at, readText }: StandInRequest): ReadonlySet<string> {
  const manifests = [...paths].filter((file) => {
    const folder = path.posix.dirname(file);
    return (folder === '.' || folder === at) && PYTHON_MANIFEST.test(path.posix.basename(file));
  });
  const declared = manifests
    .map((file) => readText(file) ?? '')
    .join('\n')
    .toLowerCase();
  const isDeclared = (name: string): boolean =>
    new RegExp(`(?<![\\w.-])${name.toLowerCase().replaceAll('_', '[-_.]')}(?![\\w-])`).test(declared);
  return new Set(packages.filter((name) => /^\w{1,80}$/.test(name) && (STANDARD.has(name) || isDeclared(name))));
}

/** The standard library of Python 3, up to 3.14. */
const STANDARD: ReadonlySet<string> = new Set(
  (
    'abc aifc annotationlib antigravity argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii bisect builtins ' +
    'bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall compression concurrent ' +
    'configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm decimal difflib dis distutils ' +
    'doctest email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch fractions ftplib functools gc ' +
    'genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http idlelib imaplib imghdr imp importlib ' +
    'inspect io ipaddress itertools json keyword lib2to3 linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap ' +
    'modulefinder multiprocessing netrc nis nntplib ntpath numbers opcode operator optparse os ossaudiodev pathlib pdb pickle ' +
    'pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc ' +
    'pyexpat queue quopri random re readline reprlib resource rlcompleter runpy sched secrets select selectors shelve shlex shutil ' +
    'signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3 ssl stat statistics string stringprep struct subprocess sunau ' +
    'symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap threading time timeit tkinter token tokenize ' +
    'tomllib trace traceback tracemalloc tty turtle types typing unicodedata unittest urllib uu uuid venv warnings wave weakref ' +
    'webbrowser wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo'
  ).split(' '),
);
