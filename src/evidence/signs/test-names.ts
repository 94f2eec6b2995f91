/** Variables that only a test runner or tireless sets. Products use `NODE_ENV` and `CI` too. */
export const RUNNER_VARIABLE: RegExp =
  /NODE_TEST_\w+|PYTEST_(?:CURRENT_TEST|XDIST_\w+|VERSION)|JEST_WORKER_ID|VITEST_\w+|BATS_TEST_\w+|TIRELESS_\w+/;

const TEST_FILE =
  /(?:^|[/\\])(?:[\w-][\w.-]{0,100}\.(?:test|spec)\.[cm]?[jt]sx?|test_\w{1,100}\.py|\w{1,100}_test\.(?:py|go|rb|exs)|\w{1,100}_spec\.rb|\w{1,100}Test\.(?:java|kt|php))$/;
/** A test file as an import may name it. */
const TEST_MODULE = /\/[\w-][\w.-]{0,100}\.(?:test|spec)$/;

/** Is this text the name of one test file? Patterns for many files are not. */
export function namesTestFile(text: string): boolean {
  return text.length <= 300 && !/[*\s]/.test(text) && (TEST_FILE.test(text) || TEST_MODULE.test(text));
}

/** Folders and files whose name marks them as test helpers, and programs beside the product. These may use the test framework. */
const BESIDE_PRODUCT =
  /(?:^|\/)(?:_?testing|test[-_]?(?:utils?|helpers?|support|kit|setup|lib|tools)|testutil|__mocks__|mocks?|stubs?|fakes?|fixtures?|e2e|cypress|\.storybook|stories)(?:\/|\.\w+$)|\.(?:stories|mock|fixture|config)\.\w+$|^(?:scripts?|tools?|bench(?:marks?)?|examples?|docs?)\//i;

export function isBesideProduct(path: string): boolean {
  return BESIDE_PRODUCT.test(path);
}
