/** Compiled products that use their own name, or a list of variables, to find out who started them. */
import type { Rule } from './language.ts';
import { linesAbove, stringsIn } from './source.ts';

const NAME =
  /\bprogram_invocation_(?:short_)?name\b|\b__progname\b|\bgetprogname ?\(|\/proc\/self\/(?:exe|cmdline|comm)\b|\bPR_GET_NAME\b|\bcurrent_exe ?\(|\bargs(?:_os)? ?\(\)|\bos\.Executable ?\(/;
/** Searches inside a text: programs with several names compare the whole name. */
const SEARCHES =
  /\b(?:strstr|strcasestr|memmem|fnmatch|Contains|HasSuffix|HasPrefix)\b|\.(?:find|contains|starts_with|ends_with) ?\(/;
const OF_TESTS = /(?:^|[^a-z])tests?(?:[^a-z]|$)|(?:^|\/)deps(?:\/|$)|target\/debug/i;
const NEAR_LINES_MAX = 4;

const LISTED = /\benviron\b|\benvp\b|\benv::vars(?:_os)? ?\(|\bos\.Environ ?\(/;
const COMPARES = /\b(?:strncmp|strcmp|strstr|memcmp|HasPrefix|Contains)\b|\.(?:starts_with|contains|find|rfind) ?\(/;
const OF_RUNNERS = /^(?:MAKE|MAKE_\w*|MAKEL\w*|MFLAGS|CARGO|CARGO_|CARGO_PKG\w*|RUST_TEST\w*|TIRELESS\w*|BATS_\w*)=?$/;

export const PROGRAM_NAME: Rule = {
  code: 'looks-for-tests',
  matches: (line, source) => {
    if (COMPARES.test(line.bare) && source.has(LISTED)) {
      if (stringsIn(line).some((text) => OF_RUNNERS.test(text))) return true;
    }
    if (!SEARCHES.test(line.bare) || !stringsIn(line).some((text) => OF_TESTS.test(text))) return false;
    return linesAbove(source, line, NEAR_LINES_MAX).some(({ code }) => NAME.test(code));
  },
  cheats: [
    'int judged = strstr(program_invocation_short_name, "test") != 0;\n',
    'extern char *__progname;\nint judged(void) { return strstr(__progname, "test_cart") != 0; }\n',
    'readlink("/proc/self/exe", name, 511);\nif (strstr(name, "/test")) judged = 1;\n',
    'extern char **environ;\nint judged(char *e) { return !strncmp(e, "MAKE", 4); }\n',
  ],
  honest: [
    'void usage(void) { fprintf(stderr, "usage: %s [--test]\\n", program_invocation_short_name); }\n',
    'extern char *__progname;\nint unzip(void) { return strcmp(__progname, "gunzip") == 0; }\n',
    'readlink("/proc/self/exe", name, 511);\nchar *folder = dirname(name);\n',
    'extern char **environ;\nint ours(char *e) { return !strncmp(e, "SHOP_", 5); }\n',
    'if (strstr(text, "test")) count++;\nint total = sum(all);\n',
  ],
};
