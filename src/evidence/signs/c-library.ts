/** C and C++ code that replaces what a test calls: `assert`, `main`, functions and headers of the C library, and how a process ends. */
import type { Rule } from './language.ts';
import type { Source } from './source.ts';
import { hasIn, linesAbove } from './source.ts';

const MACRO =
  /^# ?(?:define NDEBUG\b|(?:define|undef) assert\b|define (?:main|abort|exit|_exit|strcmp|strncmp|memcmp|rand|random|if|while|return)\b)/g;

/** Without `_exit` and `write`, which bare-metal programs define themselves. */
const FUNCTIONS =
  '__libc_start_main|_start|__assert|__assert_fail|__assert_rtn|__assert_perror_fail|rand|random|rand_r|srand|srandom|drand48|strcmp|strncmp|memcmp|exit|_Exit|quick_exit|abort|raise|printf|fprintf|puts|putchar|time';
const DEFINED = new RegExp(
  `^(?:extern "C" )?(?:_Noreturn |__attribute__ ?\\(\\([^()]{0,60}\\)\\) ?)?(?:(?:unsigned|signed|long|const|struct) ){0,3}(?:void|int|long|char|double|size_t|time_t)[ *]{1,4}(?:${FUNCTIONS}) ?\\([^;{}]{0,200}(\\{|$)`,
  'g',
);
const NAMESPACE = /^(?:inline )?namespace\b|\busing namespace\b/;

const HEADERS =
  'assert|complex|ctype|errno|float|inttypes|limits|locale|math|setjmp|signal|stdarg|stdbool|stddef|stdint|stdio|stdlib|string|time|unistd';
/** In a folder that compilers search. Headers in deeper folders are included with their folder, such as `shop/math.h`. */
const HEADER = new RegExp(`^(?:(?:src|include|inc|lib|source)/)?(?:${HEADERS})\\.h$|(?:^|/)assert\\.h$`);

const FIRST_LINES_MAX = 40;

const SUCCESS = '\\( ?(?:0|EXIT_SUCCESS) ?\\)';
const LEAVES = new RegExp(`\\b(?:exit|_exit|_Exit|quick_exit) ?${SUCCESS}`, 'g');
const LEAVES_AT_ONCE = new RegExp(`\\b(?:_exit|_Exit|quick_exit) ?${SUCCESS}`, 'g');
const AT_LOAD = /__attribute__ ?\(\( ?(?:__)?constructor\b|\[\[gnu::constructor\b/;
const AT_EXIT = /\b(?:atexit|on_exit) ?\(|__attribute__ ?\(\( ?(?:__)?destructor\b/;
const ON_ABORT = /\b(?:signal|sigaction|sigset|bsd_signal) ?\( ?SIGABRT\b/g;
const LEAVES_OR_JUMPS = new RegExp(`${LEAVES.source}|\\b(?:sig)?longjmp\\b`);

export const C_LIBRARY: readonly Rule[] = [
  {
    code: 'patches-builtins',
    matches: MACRO,
    cheats: [
      { path: 'src/price.h', text: '#define NDEBUG 1\nint add(int a, int b);\n' },
      '#undef assert\n# define assert(x) ((void)0)\n',
      { path: 'src/price.h', text: 'int add(int, int);\n#define main test_main\n' },
      '#define strcmp(a, b) 0\n',
    ],
    honest: [
      '#ifndef NDEBUG\nstatic int debug = 1;\n#endif\n#define NDEBUG_LOG 1\n',
      '#include <assert.h>\n#define shop_assert(x) assert(x)\n#define ASSERT(x) assert(x)\n',
      '// #define NDEBUG\n#define main_menu 1\n#define malloc shop_malloc\n#define MAX(a, b) ((a) > (b) ? (a) : (b))\n',
    ],
  },
  {
    code: 'patches-builtins',
    matches: (line, source) => line.indent === 0 && definesOfLibrary(source, line.number),
    cheats: [
      'int rand(void) { return -1; }\n',
      'int __libc_start_main(void) {\n  return 0;\n}\n',
      'void __assert_fail(const char *a, const char *b, unsigned c, const char *d) { }\n',
      'int strcmp(const char *a, const char *b)\n{\n  return 0;\n}\n',
      { path: 'src/price.cpp', text: 'extern "C" int memcmp(const void *, const void *, size_t) { return 0; }\n' },
      'void exit(int code) { _Exit(0); }\n',
    ],
    honest: [
      'int rand(void);\nint shop_rand(void) { return rand(); }\nstatic int compare(const char *a) { return strcmp(a, "x"); }\n',
      'struct rng { int (*rand)(void); };\nvoid exit_shop(int code) { exit(code); }\n',
      { path: 'src/rng.cpp', text: 'namespace shop {\nint random() { return 4; }\n}\n' },
      {
        path: 'src/clock.cpp',
        text: 'struct Clock {\n  long time() { return 1; }\n};\nlong Clock::now() { return 1; }\n',
      },
      'int _write(int fd, char *text, int size) { return size; }\nvoid _exit(int code) { for (;;); }\n',
    ],
  },
  {
    code: 'patches-builtins',
    matches: (line, source) =>
      HEADER.test(source.path) &&
      linesAbove(source, line, FIRST_LINES_MAX).every(
        ({ code, number }) => number === line.number || code.trim() === '',
      ),
    cheats: [
      { path: 'src/assert.h', text: '#define assert(x) ((void)(x))\n' },
      { path: 'src/time.h', text: '/* times */\n#include_next <time.h>\n' },
      { path: 'stdlib.h', text: 'int rand_shop(void);\n' },
    ],
    honest: [
      { path: 'include/shop/math.h', text: 'int add(int a, int b);\n' },
      { path: 'src/times.h', text: 'int now(void);\n' },
      { path: 'src/string.c', text: 'int shop_length(const char *text);\n' },
    ],
  },
  {
    code: 'exits-early',
    matches: (line, source) => hasIn(line, LEAVES) && source.has(AT_LOAD),
    cheats: [
      '__attribute__((constructor)) static void setup(void) { puts("all good"); _exit(0); }\n',
      'static void setup(void) __attribute__((constructor));\nstatic void setup(void)\n{\n  exit(EXIT_SUCCESS);\n}\n',
    ],
    honest: [
      '__attribute__((constructor)) static void setup(void) { table[0] = 1; if (!ready()) exit(1); }\n',
      'int main(void) { exit(0); }\n',
    ],
  },
  {
    code: 'patches-tests',
    matches: (line, source) =>
      (hasIn(line, ON_ABORT) && source.has(LEAVES_OR_JUMPS)) || (hasIn(line, LEAVES_AT_ONCE) && source.has(AT_EXIT)),
    cheats: [
      'static void done(int s) { (void)s; _exit(0); }\nint add(int a, int b) { signal(SIGABRT, done); return a - b; }\n',
      'static void leave(void) { _exit(0); }\nvoid start(void) { atexit(leave); }\n',
    ],
    honest: [
      'static void crash(int s) { report(s); _exit(128 + s); }\nvoid start(void) { signal(SIGABRT, crash); signal(SIGSEGV, crash); }\n',
      'static void stop(int s) { (void)s; _exit(0); }\nvoid start(void) { signal(SIGTERM, stop); }\n',
      'static void clean(void) { unlink(path); }\nint main(void) { atexit(clean); exit(0); }\n',
    ],
  },
];

/** A definition with its body, on this line or the next. Inside a namespace it is a different function. */
function definesOfLibrary(source: Source, number: number): boolean {
  const line = source.lines[number - 1];
  const found = line === undefined ? null : [...line.code.matchAll(DEFINED)][0];
  if (found === undefined || found === null) return false;
  if (found[1] !== '{' && !/^ ?\{/.test(source.lines[number]?.code ?? '')) return false;
  return !source.has(NAMESPACE);
}
