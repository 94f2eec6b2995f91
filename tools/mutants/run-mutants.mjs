// @ts-check
/**
 * A child process: waits for mutants and answers each with the first test that fails. The parent ends it when a test hangs.
 */
import path from 'node:path';
import { vitestOf } from './vitest-of.mjs';

/** The mutated text of a file, the test files in their order, and the tests that fail without it too.
 * @typedef {{ readonly file: string, readonly text: string, readonly tests: readonly string[], readonly unstable: readonly string[] }} Order */

const root = process.argv[2] ?? '';
/** @type {{ readonly file: string, readonly text: string } | null} */
let planted = null;
/** @type {string | null} */
let killedBy = null;
/** @type {ReadonlySet<string>} */
let unstable = new Set();

const vitest = await vitestOf(root, {
  isolate: false,
  setupFiles: [],
  reporter: {
    /** @param {any} test */
    onTestCaseResult(test) {
      process.send?.({ progress: true });
      const { state, errors = [] } = test.result();
      const name = `${relative(test.module.moduleId)}: ${test.fullName}`;
      if (state === 'failed' && !unstable.has(name)) kill(`${name}: ${firstLine(errors[0]?.message)}`);
    },
    /** Hooks of a suite fail outside any test. @param {any} suite */
    onTestSuiteResult(suite) {
      const [error] = suite.errors();
      if (error !== undefined)
        kill(`${relative(suite.module.moduleId)}: ${suite.fullName}: ${firstLine(error.message)}`);
    },
    /** @param {any} module */
    onTestModuleEnd(module) {
      process.send?.({ progress: true });
      const [error] = module.errors();
      if (error !== undefined) kill(`${relative(module.moduleId)}: ${firstLine(error.message)}`);
    },
  },
  transform: (_code, file) => (planted?.file === file ? planted.text : null),
});
const all = await vitest.globTestSpecifications();

process.on('message', (/** @type {Order} */ message) => void run(message));
process.send?.({ ready: true });

/** @param {Order} order */
async function run({ file, text, tests, unstable: names }) {
  planted = { file, text };
  killedBy = null;
  unstable = new Set(names);
  vitest.invalidateFile(path.join(root, file));
  const specifications = tests.flatMap((test) => all.filter(({ moduleId }) => relative(moduleId) === test));
  const { unhandledErrors } = await vitest.runTestSpecifications(specifications);
  const [unhandled] = unhandledErrors;
  if (unhandled !== undefined) killedBy ??= `unhandled: ${firstLine(messageOf(unhandled))}`;
  planted = null;
  vitest.invalidateFile(path.join(root, file));
  process.send?.({ killedBy });
}

/** One failing test is enough. @param {string} by */
function kill(by) {
  if (killedBy !== null) return;
  killedBy = by;
  void vitest.cancelCurrentRun('test-failure');
}

/** @param {string} file */
function relative(file) {
  return path.relative(root, file).replaceAll('\\', '/');
}

/** @param {string | undefined} message */
function firstLine(message) {
  return (message ?? '').split('\n', 1)[0]?.slice(0, 160) ?? '';
}

/** @param {unknown} error */
function messageOf(error) {
  return error instanceof Error ? error.message : '';
}
