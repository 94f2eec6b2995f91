import { describe, expect, it } from 'vitest';
import { classifyError } from './errors.ts';

describe('classifyError', () => {
  it.each([
    'Tests: 2 failed',
    'Tests:       2 failed, 3 passed, 5 total',
    ' Tests  1 failed | 3 passed (4)',
    'FAIL src/x.test.ts',
    ' FAIL  src/x.test.ts > adds two numbers',
    '1 failed, 3 passed',
    '3 tests failed in src/a.test.ts',
    'Test timed out in 5000ms.',
    '  2 passing (5ms)\n  1 failing',
    'not ok 3 - adds two numbers',
    '# pass 4\n# fail 1',
    'ℹ fail 2',
    '============ 1 failed, 3 passed in 0.12s ============',
    'FAILED tests/test_auth.py::test_login - assert 1 == 2',
    'E   AssertionError: assert 1 == 2',
    '============ 1 error in 0.05s ============',
    '--- FAIL: TestLogin (0.00s)',
    'FAIL\texample.com/auth\t0.004s',
    'test result: FAILED. 3 passed; 1 failed; 0 ignored',
    'error[E0308]: mismatched types',
    'error: could not compile `auth` (lib) due to 2 previous errors',
    '5 examples, 1 failure',
    'Tests run: 3, Failures: 1, Errors: 0, Skipped: 0',
    'Failed!  - Failed:     1, Passed:     4',
    'BUILD FAILED in 3s',
    'make: *** [Makefile:2: test] Error 1',
    'Command failed: npm test',
    'npm error Lifecycle script `test` failed with error:',
  ])('calls what a test runner prints logic: %j', (message) => {
    expect(classifyError(message)).toBe('logic');
  });

  it.each([
    'ESLint found 2 errors',
    '✖ 2 problems (2 errors, 0 warnings)',
    'lint: 2 problems',
    'Found 3 errors.\n[*] 1 fixable with the `--fix` option.',
    "src/a.ts(3,5): error TS2345: Argument of type 'string' is not assignable",
    'Found 2 errors in 1 file (checked 3 source files)',
    '2 errors, 0 warnings, 0 informations',
    '1 file would be reformatted',
    '[warn] Code style issues found in 2 files. Run Prettier with --write to fix.',
    'SyntaxError: Unexpected token',
    "TypeError: Cannot read properties of undefined (reading 'a')",
    'ReferenceError: price is not defined',
    "Cannot find module './price.js' imported from src/cart.js",
  ])('calls what linters, compilers and wrong code print logic: %j', (message) => {
    expect(classifyError(message)).toBe('logic');
  });

  it.each([
    'fetch failed',
    'TypeError: fetch failed',
    'connection refused',
    'ECONNRESET',
    'read ECONNRESET',
    'connect ETIMEDOUT 10.0.0.1',
    'connect ECONNREFUSED 127.0.0.1:5432',
    'the request timed out',
    'socket hang up',
    'Connection reset by peer',
    'getaddrinfo ENOTFOUND registry.npmjs.org',
    'getaddrinfo EAI_AGAIN api.example.com',
    'Temporary failure in name resolution',
    'curl: (6) Could not resolve host: example.com',
    'dial tcp: lookup example.com: no such host',
    'Network is unreachable',
    'HTTP 502',
    '502 Bad Gateway',
    'Request failed with status code 503',
    '503 Service Unavailable',
    '504 Gateway Time-out',
    '429 Too Many Requests',
    'API Error: 529 overloaded_error',
    'context deadline exceeded',
    'net/http: TLS handshake timeout',
    'npm error network request to https://registry.npmjs.org/x failed',
    'fatal: unable to access https://github.com/a/b.git/: Failed to connect to github.com',
  ])('calls the network and time limits transient: %j', (message) => {
    expect(classifyError(message)).toBe('transient');
  });

  it.each([
    'EACCES: permission denied, open x',
    'EPERM: operation not permitted',
    "Cannot find module 'left-pad'",
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'left-pad' imported from src/a.js",
    "ModuleNotFoundError: No module named 'requests'",
    'sh: 1: pytest: not found',
    'bash: cargo: command not found',
    'spawn ruff ENOENT',
    'exec: "docker": executable file not found in $PATH',
    'no required module provides package github.com/x/y',
    'ERROR: No matching distribution found for leftpad',
    'npm error code E404',
    '401 Unauthorized',
    'HTTP 403 Forbidden',
    'missing API key',
    'ENOSPC: no space left on device',
  ])('calls missing dependencies and permissions blocking: %j', (message) => {
    expect(classifyError(message)).toBe('blocking');
  });

  it.each(['it exploded', '', 'Tests: 0 failed, 5 passed', '0 errors', 'ENOENT: no such file or directory, open x'])(
    'calls everything else unknown: %j',
    (message) => {
      expect(classifyError(message)).toBe('unknown');
    },
  );

  it('reads the beginning and the end of a long output: runners print their summary last', () => {
    expect(classifyError(`${'.\n'.repeat(50_000)}Tests: 2 failed`)).toBe('logic');
    expect(classifyError(`FAIL src/x.test.ts\n${'.\n'.repeat(50_000)}`)).toBe('logic');
  });

  it('takes a failed test for logic, whatever it failed with', () => {
    expect(classifyError('FAIL src/x.test.ts\nError: connect ECONNREFUSED 127.0.0.1:5432')).toBe('logic');
    expect(classifyError("1 failed\nAssertionError: expected 'permission denied' to be 'ok'")).toBe('logic');
    expect(classifyError("FAIL src/x.test.ts\nCannot find module 'left-pad' from 'src/x.ts'")).toBe('blocking');
  });
});
