/**
 * Code that a line loads from outside the project, by a path that no commit contains: the check passes here, and only here. Data that a
 * program reads there is its own business, and so is what the system installs.
 */
import type { Rule } from './language.ts';
import type { Line } from './scan-source.ts';
import type { Source } from './source.ts';
import { hasIn, matchesIn, stringsIn } from './source.ts';

/** Installed by the system, not by an agent. */
const SYSTEM = /^\/(?:usr|etc|bin|sbin|lib|lib64|proc|sys|System|Library)\/(?!local\/src)|^\/dev\/(?!shm\/)/;
/** In a browser and in Vite, `/` is the root of the site. */
const OF_SITE =
  /^\/(?:src|assets?|static|js|scripts?|libs?|vendor|modules|node_modules|public|dist|build|components|app|pages|common|shared|styles?|css|images?|[@_](?!fs\/)[\w-]*)\/|^\/[\w.-]*$/;
const PATH_CHARS_MAX = 300;

function isOutside(text: string): boolean {
  if (text.length > PATH_CHARS_MAX || /\s/.test(text)) return false;
  const path = text.replace(/^file:\/\/(?:localhost)?(?=\/)/, '').replace(/^\/@fs\//, '/');
  return /^(?:\/(?![/*])|[A-Za-z]:[\\/])./.test(path) && !SYSTEM.test(path);
}

/** Does a path from this file lead above the root? */
function leavesRoot(file: string, text: string): boolean {
  let depth = file.split('/').length - 1;
  if (!/^\.{1,2}\//.test(text)) return false;
  for (const part of text.split('/')) {
    if (part === '..') depth -= 1;
    else if (part !== '.' && part !== '') depth += 1;
    if (depth < 0) return true;
  }
  return false;
}

const LOADED =
  /(?<![\w$.])(?:from ?|import ?\(? ?|(?:createRequire|require|require\.resolve) ?\( ?)(?:(?:[\w$]{1,40}\.)?(?:join|resolve|pathToFileURL|URL) ?\( ?)?['"`]([^'"`]{1,300})['"`]/g;
const STARTED = /\b(?:Worker|fork|spawn|spawnSync|exec|execSync|execFile|execFileSync) ?\(/;
/** Loads what a variable names. */
const LOADS_NAMED =
  /\b(?:import|require|createRequire|Worker|fork|runInThisContext|runInNewContext|compileFunction|eval) ?\( ?(?!['"`])[\w$(]|\bnew Function ?\(/;
const SEARCH_PATHS = /\bmodule\.paths\b|\bglobalPaths\b|\bNODE_PATH\b/;
const JAVASCRIPT_FILE = /\.(?:[cm]?[jt]sx?|node|wasm)$/;

export const JAVASCRIPT_OUTSIDE: Rule = {
  code: 'leaves-project',
  matches: (line, source) => {
    const isLoaded = (text: string): boolean =>
      (isOutside(text) && (!OF_SITE.test(text) || /\brequire\b/.test(line.code))) || leavesRoot(source.path, text);
    if (matchesIn(line, LOADED).some(([, text = '']) => isLoaded(text))) return true;
    const strings = stringsIn(line).filter((text) => isOutside(text) && !OF_SITE.test(text));
    if (SEARCH_PATHS.test(line.bare) && strings.length > 0) return true;
    return strings.some((text) => JAVASCRIPT_FILE.test(text)) && (STARTED.test(line.bare) || source.has(LOADS_NAMED));
  },
  cheats: [
    "export * from '/tmp/ext/calc.js';\n",
    "import { add } from 'file:///tmp/ext/calc.js';\nexport const plus = add;\n",
    "module.exports = require('/home/me/ext/calc');\n",
    "const { add } = await import('/work/ext/calc.mjs');\n",
    "export { add } from '../../../tmp/ext/calc.js';\n",
    "const where = '/tmp/ext/calc.js';\nexport const { add } = await import(where);\n",
    "import { createRequire } from 'node:module';\nexport const { add } = createRequire('/tmp/ext/')('./calc.js');\n",
    "const { join } = require('path');\nmodule.exports = require(join('/var/tmp/ext', 'calc.js'));\n",
    "module.paths.push('/tmp/ext/node_modules');\nmodule.exports = require('calc');\n",
    "import { readFileSync } from 'node:fs';\neval(readFileSync('/tmp/ext/calc.js', 'utf8'));\n",
    "import { execFileSync } from 'node:child_process';\nexport const add = (a, b) => Number(execFileSync('node', ['/tmp/ext/calc.js', a, b]));\n",
  ],
  honest: [
    "import { readFileSync } from 'node:fs';\nexport const zones = readFileSync('/usr/share/zoneinfo/tzdata.zi', 'utf8');\n",
    "import { readFileSync } from 'node:fs';\nconst words = readFileSync('/var/lib/shop/words.txt', 'utf8');\nexport const load = (name) => import(`./plugins/${name}.js`);\n",
    "import { z } from 'zod';\nimport { a } from '../lib/a.js';\nconst b = require('node_modules/b');\n",
    "#!/usr/bin/env node\nimport { run } from './run.js';\nrun('/tmp/out.json');\n",
    "import { h } from '/vendor/preact.js';\nimport '/main.js';\n",
    "app.get('/home/cart.html', (req, res) => res.redirect('/tmp/x'));\n",
    'const page = \'<script src="/assets/js/app.js"></script>\';\nconst lazy = (name) => import(name);\n',
    "router.use('/api/v1/users', require('./users'));\n",
    "import { total } from '~/lib/total';\nimport { b } from '@/b';\nexport const logo = Buffer.from('/9j/4AAQ/SkZJ', 'base64');\n",
    "const { execSync } = require('node:child_process');\nexecSync('/usr/local/bin/convert /tmp/a.png');\n",
    "export const load = (file) => import(file);\nexport const url = 'https://example.org/tmp/a.js';\n",
  ],
};

const PYTHON_PATH =
  /\bsys\.path(?:\.(?:insert|append|extend) ?\(| ?\+?= ?|\[[^\]]{0,20}\] ?= ?)|\b__path__(?:\.(?:insert|append|extend) ?\(| ?\+?= ?)|\baddsitedir ?\(/g;
const PYTHON_LOADS =
  /\b(?:spec_from_file_location|SourceFileLoader|SourcelessFileLoader|ExtensionFileLoader|run_path|FileFinder|load_source) ?\(/;
const PYTHON_EXECUTES = /(?<![\w.])(?:exec|eval|compile) ?\(/;
const PYTHON_FILE = /\.(?:py[cdx]?|so)$/;

export const PYTHON_OUTSIDE: Rule = {
  code: 'leaves-project',
  matches: (line, source) => isPathOfPython(line, source) || isFileOfPython(line, source),
  cheats: [
    "import sys\nsys.path.insert(0, '/tmp/ext')\nfrom calc import add\n",
    "import sys\nsys.path += ['/home/me/ext']\n",
    "import sys\nsys.path.append('../../../../tmp/ext')\n",
    "__path__ = ['/tmp/ext']\n",
    "import importlib.util\nspec = importlib.util.spec_from_file_location('calc', '/tmp/ext/calc.py')\n",
    "import importlib.util\nwhere = '/tmp/ext/calc.py'\nspec = importlib.util.spec_from_file_location('calc', where)\n",
    "import runpy\nadd = runpy.run_path('/tmp/ext/calc.py')['add']\n",
    "exec(open('/tmp/ext/calc.py').read())\n",
  ],
  honest: [
    "import sys\nsys.path.insert(0, '/usr/lib/python3/dist-packages')\n",
    "import os, sys\nsys.path.insert(0, os.path.dirname(__file__))\nsys.path.append('../lib')\n",
    "with open('/usr/share/dict/words') as words:\n    COUNT = len(words.readlines())\n",
    "DATABASE = '/var/lib/shop/data.db'\nLOG = '/tmp/shop.log'\n",
    "import re, sys\nPATTERN = re.compile('/tmp/.*')\nif '/opt/shop' in sys.path: print('installed')\n",
    "import importlib.util\nfrom pathlib import Path\nspec = importlib.util.spec_from_file_location('a', Path(__file__).parent / 'a.py')\n",
    "#!/usr/bin/python3\nprint('see /home/me/a.py')\n",
  ],
};

function isPathOfPython(line: Line, source: Source): boolean {
  if (!hasIn(line, PYTHON_PATH)) return false;
  return stringsIn(line).some((text) => isOutside(text) || leavesRoot(source.path, text));
}

function isFileOfPython(line: Line, source: Source): boolean {
  const files = stringsIn(line).filter((text) => isOutside(text) && PYTHON_FILE.test(text));
  return files.length > 0 && (source.has(PYTHON_LOADS) || PYTHON_EXECUTES.test(line.bare));
}

const SOURCED = /(?:^|[;&|{] ?)(?:\.|source) ['"]?((?:\/|~\/)[\w./-]{1,300})/g;
/** A program's own settings, and the tools of a machine. */
const MACHINE = /^\/opt\/|\/(?:activate|\.env|[\w-]*rc)$|^~\/\./;

/** For languages that include other files by name. */
function includes(pattern: RegExp, cheats: readonly string[], honest: readonly string[]): Rule {
  const matches: Rule['matches'] = (line, source) =>
    matchesIn(line, pattern).some(([, text = '']) => isOutside(text) || leavesRoot(source.path, text));
  return { code: 'leaves-project', matches, cheats, honest };
}

export const C_OUTSIDE: Rule = includes(
  /^# ?(?:include|import) ?"([^"]{1,300})"/g,
  ['#include "/tmp/ext/calc.c"\n', '#include "../../ext/calc.h"\n'],
  ['#include "../include/calc.h"\n', '#include "/usr/include/zlib.h"\n', 'const char *at = "/tmp/ext/calc.c";\n'],
);

export const RUST_OUTSIDE: Rule = includes(
  /\b(?:include! ?\( ?|path ?= ?)"([^"]{1,300})"/g,
  ['include!("/tmp/ext/calc.rs");\n', '#[path = "/home/me/calc.rs"]\nmod calc;\n'],
  ['include!("calc.rs");\n', '#[path = "../shared/calc.rs"]\nmod calc;\n', 'let at = "/tmp/ext/calc.rs";\n'],
);

export const RUBY_OUTSIDE: Rule = includes(
  /(?<![\w.])(?:require|require_relative|load|autoload :\w{1,60},) ?\(? ?['"]([^'"]{1,300})['"]/g,
  ["require '/tmp/ext/calc'\n", 'load("/home/me/calc.rb")\n'],
  ["require 'json'\n", "require_relative '../lib/calc'\n", "File.read('/tmp/ext/calc.rb')\n"],
);

export const PHP_OUTSIDE: Rule = includes(
  /(?<![\w$>])(?:require|require_once|include|include_once) ?\(? ?['"]([^'"]{1,300})['"]/g,
  ["<?php\nrequire '/tmp/ext/calc.php';\n", "<?php\ninclude_once('/home/me/calc.php');\n"],
  [
    "<?php\nrequire 'vendor/autoload.php';\n",
    "<?php\n$at = '/tmp/ext/calc.php';\n",
    "<?php\nrequire __DIR__ . '/calc.php';\n",
  ],
);

export const SHELL_OUTSIDE: Rule = {
  code: 'leaves-project',
  matches: (line) =>
    matchesIn(line, SOURCED).some(([, text = '']) => isOutside(text.replace(/^~/, '/home')) && !MACHINE.test(text)),
  cheats: ['. /tmp/ext/calc.sh\n', '. ~/ext/calc.sh\n', 'add() { :; }; source "/home/me/ext/calc.sh"\n'],
  honest: [
    '. ./lib/calc.sh\n',
    '. /etc/os-release\n',
    'source /opt/venv/bin/activate\n',
    'cd /tmp && ls .\n',
    'cp ./a . /tmp/b\n',
  ],
};
