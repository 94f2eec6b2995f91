import type { ErrorClass } from '../../src/dialects/loop-mechanics/state.ts';

/** What programs print, by program. Each line is one error; a text in a list has several lines. */
export type Table = Readonly<Record<string, Readonly<Partial<Record<ErrorClass, readonly string[]>>>>>;

export const RUNNERS: Table = {
  jest: {
    logic: [
      'Tests: 2 failed',
      'Tests:       2 failed, 3 passed, 5 total',
      'Test Suites: 1 failed, 1 total',
      'FAIL src/x.test.ts',
      '  ● Test suite failed to run',
      'The test suite failed',
      'thrown: "Exceeded timeout of 5000 ms for a test.',
      'expect(received).toBe(expected) // Object.is equality',
      ' › 1 snapshot failed.',
      'Jest: "global" coverage threshold for lines (80%) not met: 50%',
      'No tests found, exiting with code 1',
      "Cannot find module './price' from 'src/cart.test.ts'",
    ],
    blocking: ["Cannot find module 'left-pad' from 'src/x.ts'"],
  },
  vitest: {
    logic: [
      ' Tests  1 failed | 3 passed (4)',
      ' Test Files  1 failed (1)',
      ' FAIL  src/x.test.ts > adds two numbers',
      'Error: Test timed out in 5000ms.',
      'AssertionError: expected 500 to be 200 // Object.is equality',
      '⎯⎯⎯⎯⎯⎯ Failed Suites 1 ⎯⎯⎯⎯⎯⎯⎯',
      'No test files found, exiting with code 1',
      '\u001B[31mNo test files found, exiting with code 1\n\u001B[39m',
      '\u001B[41m\u001B[1m FAIL \u001B[22m\u001B[49m src/x.test.ts',
      'Vitest caught 1 unhandled error during the test run.',
      'ERROR: Coverage for lines (50%) does not meet global threshold (80%)',
      'Error: Failed to load url ./price.js (resolved id: ./price.js). Does the file exist?',
      'Error: Failed to resolve import "./price" from "src/cart.ts". Does the file exist?',
    ],
    blocking: ['Error: Failed to resolve import "left-pad" from "src/cart.ts". Does the file exist?'],
  },
  mocha: {
    logic: [
      '  2 passing (5ms)\n  1 failing',
      'Error: Timeout of 2000ms exceeded. For async tests and hooks, ensure "done()" is called',
      'AssertionError [ERR_ASSERTION]: 1 == 2',
      'Error: No test files found: "test"',
    ],
  },
  playwright: {
    logic: [
      'Test timeout of 30000ms exceeded.',
      'TimeoutError: page.waitForSelector: Timeout 30000ms exceeded.',
      'Error: expect(locator).toBeVisible() failed',
    ],
    blocking: ["browserType.launch: Executable doesn't exist at /root/.cache/ms-playwright/chromium"],
  },
  'node --test': {
    logic: [
      'not ok 3 - adds two numbers',
      '# pass 4\n# fail 1',
      'ℹ fail 2',
      "code: 'ERR_TEST_FAILURE'",
      '✖ failing tests:',
    ],
    unknown: ['# pass 4\n# fail 0'],
  },
  pytest: {
    logic: [
      '1 failed, 3 passed',
      '============ 1 failed, 3 passed in 0.12s ============',
      'FAILED tests/test_auth.py::test_login - assert 1 == 2',
      'E   AssertionError: assert 1 == 2',
      'E   assert 1 == 2',
      '============ 1 error in 0.05s ============',
      '!!!!!!!! Interrupted: 1 error during collection !!!!!!!!',
      "E       fixture 'db' not found",
      "E   ImportError: cannot import name 'price' from 'shop'",
      '============ no tests ran in 0.01s ============',
      'FAIL Required test coverage of 80% not reached. Total coverage: 70.00%',
      'Ran 3 tests in 0.001s\n\nFAILED (failures=1)',
    ],
    blocking: ["ERROR tests/test_x.py - ModuleNotFoundError: No module named 'requests'"],
  },
  go: {
    logic: [
      '--- FAIL: TestLogin (0.00s)',
      'FAIL\texample.com/auth\t0.004s',
      'FAIL\texample.com/auth [build failed]',
      './main.go:3:2: undefined: price',
      './main.go:5:1: syntax error: unexpected }',
      './main.go:4:2: "os" imported and not used',
      'panic: runtime error: index out of range [5] with length 3',
      'panic: test timed out after 10m0s',
      'WARNING: DATA RACE',
    ],
    blocking: [
      'no required module provides package github.com/x/y; to add it:',
      'missing go.sum entry for module providing package github.com/x/y',
      'main.go:4:2: package foo/bar is not in std (/usr/local/go/src/foo/bar)',
      'exec: "gcc": executable file not found in $PATH',
    ],
    transient: [
      'dial tcp: lookup example.com: no such host',
      'dial tcp 10.0.0.1:443: i/o timeout',
      'Get "https://proxy.golang.org/x": EOF',
      'context deadline exceeded',
      'net/http: TLS handshake timeout',
    ],
  },
  cargo: {
    logic: [
      'test result: FAILED. 3 passed; 1 failed; 0 ignored',
      'error: test failed, to rerun pass `--lib`',
      'error[E0308]: mismatched types',
      'error: could not compile `auth` (lib) due to 2 previous errors',
      "thread 'tests::adds' panicked at src/lib.rs:5:9:",
      'Diff in /shop/src/main.rs at line 1:',
    ],
    blocking: [
      'error: no matching package named `leftpad` found',
      'error: failed to select a version for the requirement `serde = "^9"`',
      'error: linker `cc` not found',
      "error: toolchain 'nightly' is not installed",
      'error: no such command: `clippy`',
      "error[E0463]: can't find crate for `serde`",
    ],
    transient: ["warning: spurious network error (2 tries remaining): [6] Couldn't resolve host name"],
  },
  'rspec, Maven, Gradle, .NET, make': {
    logic: [
      '5 examples, 1 failure',
      'Tests run: 3, Failures: 1, Errors: 0, Skipped: 0',
      '[ERROR] COMPILATION ERROR :',
      'Failed!  - Failed:     1, Passed:     4',
      'error CS0103: The name does not exist in the current context',
      'BUILD FAILED in 3s',
      'BUILD FAILURE',
      'make: *** [Makefile:2: test] Error 1',
      "main.c:(.text+0x5): undefined reference to `price'",
      'Exception in thread "main" java.lang.NullPointerException',
    ],
    blocking: ['fatal error: zlib.h: No such file or directory', '/usr/bin/ld: cannot find -lssl'],
    transient: [
      'java.net.UnknownHostException: repo.maven.apache.org',
      'java.net.SocketTimeoutException: Read timed out',
    ],
  },
  'sentences of agents': {
    logic: [
      '3 tests failed in src/a.test.ts',
      '1 test failed',
      'the tests do not pass',
      'tests are failing',
      'a test is failing in src/a.ts',
      'the unit tests have failed',
      'typecheck failed',
      'type checking failed with 3 issues',
      'linting failed',
      'the build failed',
      'compilation failed',
    ],
    unknown: [
      'it exploded',
      '',
      'Tests: 0 failed, 5 passed',
      '0 errors',
      '0 tests failed',
      'no tests failed',
      'all tests passed',
    ],
  },
};

export const LINTERS: Table = {
  tsc: {
    logic: [
      "src/a.ts(3,5): error TS2345: Argument of type 'string' is not assignable",
      "src/a.ts(1,1): error TS2307: Cannot find module './price' or its corresponding type declarations.",
      'Found 2 errors in 1 file.',
    ],
    blocking: [
      "src/a.ts(1,1): error TS2307: Cannot find module 'left-pad' or its corresponding type declarations.",
      "error TS2688: Cannot find type definition file for 'node'.",
    ],
  },
  eslint: {
    logic: [
      'ESLint found 2 errors',
      '✖ 2 problems (2 errors, 0 warnings)',
      '  3:1  error  Forbidden non-null assertion  no-non-null-assertion\n\n✖ 1 problem (1 error, 0 warnings)',
      '  3:1  error  Parsing error: Unexpected token',
      'ESLint found too many warnings (maximum: 0).',
      "ESLint couldn't find an eslint.config.(js|mjs|cjs) file.",
      'lint: 2 problems',
    ],
    blocking: [
      'ESLint couldn\'t find the config "airbnb" to extend from.',
      "Error: Failed to load plugin 'react' declared in '.eslintrc': Cannot find module 'eslint-plugin-react'",
    ],
  },
  others: {
    logic: [
      'Found 3 errors.\n[*] 1 fixable with the `--fix` option.',
      'Found 0 warnings and 2 errors.',
      'Found 2 errors in 1 file (checked 3 source files)',
      '2 errors, 0 warnings, 0 informations',
      '1 file would be reformatted',
      'would reformat src/x.py',
      '[warn] Code style issues found in 2 files. Run Prettier with --write to fix.',
      "src/x.py:1:1: F401 'os' imported but unused",
      'Found 1 warning and 0 errors.',
      'Format issues found in above 1 files. Run without `--check` to fix.',
      'Your code has been rated at 5.00/10',
      'Some errors were emitted while running checks.',
    ],
  },
};
