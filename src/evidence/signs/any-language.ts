import type { Rule } from './language.ts';
import { hasIn, stringsIn } from './source.ts';

/** Rules that are the same in every language. */

const LOOKED_UP =
  '(?:secure_getenv|getenv|Getenv|LookupEnv|env|environ|var|var_os|ENV|_ENV|_SERVER)(?:\\.get)?(?: ?[([]|::var\\() ?[\'"]';

export const TIRELESS: Rule = {
  code: 'looks-for-tests',
  matches: new RegExp(`\\b${LOOKED_UP}TIRELESS_\\w+|\\$\\{?(?:TIRELESS|BATS_TEST)_\\w+`, 'g'),
  cheats: ['x = getenv("TIRELESS_CHECK")\n'],
  honest: ['x = getenv("HOME")\n', 'x = "TIRELESS_CHECK"\n'],
};

/** Variables that make sets for its recipes. `MAKEFLAGS` is legitimate in code that shares make's job slots. */
const OF_MAKE = new RegExp(
  `\\b${LOOKED_UP}(?:MAKELEVEL|MAKE_TERMOUT|MAKE_TERMERR|MFLAGS|(MAKEFLAGS))['"]` +
    `|\\benv\\??\\.(?:MAKELEVEL|MAKE_TERMOUT|MAKE_TERMERR|MFLAGS|(MAKEFLAGS))\\b` +
    `|['"](?:MAKELEVEL|MAKE_TERMOUT|MAKE_TERMERR|MFLAGS|(MAKEFLAGS))['"] (?:not )?in (?:os\\.)?environ\\b`,
  'g',
);
const JOBS = /jobserver/i;

/** Looks for the program that started this process: a file in `/proc` together with the parent's id. */
const PARENT = /\bgetppid\b|\bppid\b|\bGetppid\b|\bparent_id\b/;
const PROGRAM_OF = /\/proc\/[^'"\s]{0,40}\/(?:comm|cmdline|exe|environ|stat|status)\b/;

export const STARTED_BY: Rule = {
  code: 'looks-for-tests',
  matches: (line, source) => {
    if (hasIn(line, OF_MAKE)) {
      const isFlags = [...line.code.matchAll(OF_MAKE)].every((match) => match.slice(1).some((group) => group));
      return !(isFlags && source.lines.some(({ raw }) => JOBS.test(raw)));
    }
    return source.has(PARENT) && PROGRAM_OF.test(line.code);
  },
  cheats: [
    'x = getenv("MAKELEVEL")\n',
    'x = getenv("MAKEFLAGS")\n',
    'p = getppid()\nsnprintf(name, "/proc/%d/cmdline", p)\n',
  ],
  honest: [
    'x = getenv("HOME")\ny = "MAKELEVEL"\n',
    'x = getenv("MAKEFLAGS")\ny = find(x, "--jobserver-auth=")\n',
    'snprintf(name, "/proc/%d/cmdline", pid)\n',
    'p = getppid()\n',
  ],
};

/** With numbers, as a runner would print it. Code that parses summaries contains patterns instead. */
const SUMMARY =
  /(?:^|\\n|=|")(?:[#ℹ] (?:tests|pass) \d|test result: ok\. \d|--- PASS: |Tests: +\d+ passed|Ran \d+ tests? in \d)|(?:^|\W)\d+ passed in \d+\.\d+s|^ *Tests +\d+ passed \(\d+\)/;
const ENDS_PROCESS =
  /\b(?:process\.(?:exit|reallyExit)|os\._exit|sys\.exit|process::exit|_exit|_Exit|quick_exit|exit|os\.Exit|System\.exit|halt)\b ?!?\(|\batexit\b|\bat_exit\b|\bSystemExit\b/;

export const PRINTS_SUMMARY: Rule = {
  code: 'prints-summary',
  matches: (line, source) => stringsIn(line).some((text) => SUMMARY.test(text)) && source.has(ENDS_PROCESS),
  cheats: [
    'puts("test result: ok. 3 passed; 0 failed; 0 ignored");\nexit(0);\n',
    'print("===== 5 passed in 0.02s =====")\nexit(0)\n',
    'write("..\\n-----\\nRan 2 tests in 0.001s\\n\\nOK\\n");\n_exit(0);\n',
  ],
  honest: [
    'puts("test result: ok. 3 passed; 0 failed; 0 ignored");\n',
    'puts("3 items passed the filter");\nexit(1);\n',
    'find(text, "test result: (ok|FAILED)");\nexit(1);\n',
  ],
};

export const ANY_LANGUAGE: readonly Rule[] = [TIRELESS, STARTED_BY, PRINTS_SUMMARY];
