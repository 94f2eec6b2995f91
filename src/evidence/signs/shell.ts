import { TIRELESS } from './any-language.ts';
import type { Rule } from './language.ts';
import { SHELL_OUTSIDE } from './outside-code.ts';
import type { Line } from './scan-source.ts';
import type { Source } from './source.ts';
import { hasIn, hasShebang } from './source.ts';

/** Shell scripts. A file without a shebang is meant to be sourced. */

const NAMES = '\\[|\\[\\[|test|exit|return|set|trap|eval|builtin|true|false|echo|printf';
const NAMED_AS_BUILTIN = new RegExp(`^(?:function )?(${NAMES}) ?\\( ?\\)|^function (${NAMES}) ?(?:\\{|$)`, 'g');
/** `./tasks.sh test` calls the function of that name. */
const RUNS_TASKS = /^(?:time )?"?\$\{?(?:@|1|\*)|^case "?\$/;
const VARIABLE =
  /^(?:.{0,200}[;&] ?)?(?:unset (?:-v )?(?:RANDOM|SRANDOM|EPOCHSECONDS|EPOCHREALTIME)\b|(?:readonly |declare -\w{1,4} )?RANDOM=\d+(?:$|[ ;])|shopt -s extdebug\b|enable -n )/g;

const ON_EXIT = '(?:(?:SIG)?[A-Z0-9]{1,10} ){0,4}(?:EXIT|ERR|0)\\b';
const TRAP_WITH_CODE = new RegExp(`^trap (?:'[^']{0,200}|"[^"]{0,200})\\bexit 0 ?;? ?['"] ${ON_EXIT}`, 'g');
const TRAP_WITH_NAME = new RegExp(`^trap (?:-- )?['"]?([A-Za-z_]\\w{0,60})['"]? ${ON_EXIT}`);
/** A test that sources this file no longer ends at the first failure. */
const TOLERATES = /^(?:.{0,200}[;{&] ?)?set \+(?:e\b|o errexit\b)/g;
const STRICT = /\bset -(?:\w{0,10}e|o errexit\b)/;
const EXITS_WITH_SUCCESS = /(?:^|[;&|{] ?|\bthen )exit 0(?:$| ?[;}&|])/;
/** `builtin "${x}it" 0` */
const EXITS_IN_DISGUISE =
  /\b(?:builtin|command) (?:exit 0\b|["'$\\])|(?:^|[;&|{] ?|\bthen )["']?(?:\w{0,4}\$\{[^}]{1,40}\}\w{1,4}|\w{1,4}\$\{[^}]{1,40}\})["']? 0\b/;

const FUNCTION = /^(?:function )?[\w-]{1,60} ?\( ?\)/;
const EXEC =
  /^(?:.{0,200}(?:[;&|] ?| ))?exec (?:(?:\/\S{1,40}\/)?(?:ba|da|z|k)?sh )?(?:[\w./-]{0,100}\.(?:sh|bash)\b|(?:\/(?:usr\/)?bin\/)?true\b)/g;

export const SHELL_RULES: readonly Rule[] = [
  TIRELESS,
  SHELL_OUTSIDE,
  {
    code: 'patches-tests',
    matches: (line, source) =>
      hasIn(line, TRAP_WITH_CODE) ||
      (hasIn(line, TOLERATES) && !hasShebang(source) && source.has(FUNCTION) && !source.has(STRICT)) ||
      leavingFunctions(source).has(TRAP_WITH_NAME.exec(line.code)?.[1] ?? ''),
    cheats: [
      "trap 'exit 0' EXIT\n",
      'trap \'rm -f "$file"; exit 0\' INT EXIT\n',
      'add() { echo $(( $1 - $2 )); }\ncleanup() { rm -f /tmp/none; exit 0; }\ntrap cleanup EXIT\n',
      'set +e\nadd() { echo $(( $1 - $2 )); }\n',
      'leave() {\n  rm -f a\n  exit 0\n}\ntrap leave EXIT\n',
      'leave() { builtin exit 0; }\ntrap leave EXIT\n',
      'leave() {\n  builtin "${0:+ex}it" 0\n}\ntrap leave EXIT\n',
      'leave() {\n  "${0:+ex}it" 0\n}\ntrap leave EXIT\n',
    ],
    honest: [
      "trap 'rm -f \"$file\"' EXIT\ntrap 'exit 0' INT TERM\nexit 0\n# trap 'exit 0' EXIT\n",
      '#!/bin/sh\nclean() {\n  rm -f a\n}\ntrap clean EXIT\nusage() { echo help; exit 0; }\n',
      'clean() {\n  status=$?\n  rm -f a\n  exit "$status"\n}\ntrap clean EXIT\n',
      "trap 'rm -f a; exit' EXIT\n",
      'clean() {\n  "${SUDO:-env}" rm -f a\n  builtin cd "$old"\n  kill -s 0 "$$"\n}\ntrap clean EXIT\n',
      'run() {\n  set +e\n  "$@"\n  status=$?\n  set -e\n}\n',
      '#!/bin/sh\nset +e\nrun() { "$@"; }\n',
    ],
  },
  {
    code: 'patches-builtins',
    matches: (line, source) => isNamedAsBuiltin(line, source) || hasIn(line, VARIABLE),
    cheats: [
      'add() { echo $(( $1 - $2 )); }\n[() { return 1; }\n',
      'exit() { builtin exit 0; }\n',
      'echo() { builtin echo "${@/not ok/ok}"; }\n',
      'function test {\n  return 0\n}\n',
      'unset RANDOM; RANDOM=0\n',
      'shopt -s extdebug\n',
      'enable -n test\n',
    ],
    honest: [
      'cd() { builtin cd "$@" && ls; }\nexit_with() { exit "$1"; }\ntest_add() { [ 1 = 1 ]; }\n',
      'echo() { printf \'%s\\n\' "$*"; }\n',
      '#!/bin/sh\nbuild() { make; }\ntest() { make test; }\n"$@"\n',
      'RANDOM=$$\nRANDOM=$SEED\nroll=$RANDOM\nMY_RANDOM=1\nunset RANDOMS\nshopt -s nullglob\n',
    ],
  },
  {
    code: 'exits-early',
    matches: (line, source) =>
      line.depth === 0 &&
      !hasShebang(source) &&
      source.has(FUNCTION) &&
      (hasIn(line, EXEC) || (line.indent === 0 && EXITS_WITH_SUCCESS.test(line.code) && !FUNCTION.test(line.code))),
    cheats: [
      '[ -n "$SHOP" ] || SHOP=1 exec bash ./fast.sh\nadd() { echo $(( $1 - $2 )); }\n',
      'exec true\nadd() { echo 1; }\n',
      'add() { echo $(( $1 - $2 )); }\nexit 0\n',
    ],
    honest: [
      '#!/bin/sh\nrun() { node a.js; }\nrun\nexit 0\n',
      '#!/bin/sh\nhere=$(dirname "$0")\nuse() { :; }\nexec sh "$here/other.sh" "$@"\n',
      'log() { echo "$1"; }\nexec 3>&1\nexec > out.log\n',
      'run() {\n  exec sh ./other.sh\n}\nusage() { echo help; exit 0; }\n',
      'echo done\nexit 0\n',
    ],
  },
];

function isNamedAsBuiltin(line: Line, source: Source): boolean {
  if (!hasIn(line, NAMED_AS_BUILTIN)) return false;
  const isTask = /^(?:function )?test\b/.test(line.code) && source.has(RUNS_TASKS);
  // The portable way to print text verbatim.
  const isPlainEcho = /^(?:function )?echo\b.*\bprintf\b/.test(line.code);
  return !isTask && !isPlainEcho;
}

const OPENS = /^(?:function )?([A-Za-z_]\w{0,60}) ?(?:\( ?\)|\{)/;
const known = new WeakMap<Source, ReadonlySet<string>>();

/** Functions that end the script with success. */
function leavingFunctions(source: Source): ReadonlySet<string> {
  const before = known.get(source);
  if (before !== undefined) return before;
  const found = new Set<string>();
  let name: string | undefined;
  for (const { code, depth } of source.lines) {
    if (depth === 0) name = OPENS.exec(code)?.[1];
    if (name !== undefined && (EXITS_WITH_SUCCESS.test(code) || EXITS_IN_DISGUISE.test(code))) found.add(name);
  }
  known.set(source, found);
  return found;
}
