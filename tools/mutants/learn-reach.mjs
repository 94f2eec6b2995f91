// @ts-check
/**
 * A child process: runs every test file once, each with its own modules, over instrumented sources. Arguments: the root, the folder for the
 * marks, and the test files (none: all).
 */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { instrument } from './syntax.mjs';
import { vitestOf } from './vitest-of.mjs';

const [root = '', folder = '', ...wanted] = process.argv.slice(2);
process.env['TIRELESS_REACH_FOLDER'] = folder;

/** @type {{ readonly file: string, readonly test: string | null }[]} */
const failed = [];
const vitest = await vitestOf(root, {
  isolate: true,
  setupFiles: [fileURLToPath(new URL('mark-reach.mjs', import.meta.url))],
  reporter: {
    /** @param {any} test */
    onTestCaseResult(test) {
      if (test.result().state === 'failed') failed.push({ file: relative(test.module.moduleId), test: test.fullName });
    },
    /** @param {any} module */
    onTestModuleEnd(module) {
      console.error(`${module.state()} ${relative(module.moduleId)}`);
      if (module.errors().length > 0) failed.push({ file: relative(module.moduleId), test: null });
    },
  },
  transform: (code, file) =>
    /^src\/(?:core|stores|evidence|engine)\/.*(?<!\.test)\.ts$/u.test(file)
      ? instrument(code, (point) => `globalThis.tirelessReach?.add('${file}:${point}')`)
      : null,
});
const specifications = await vitest.globTestSpecifications();
const chosen = specifications.filter(({ moduleId }) => wanted.length === 0 || wanted.includes(relative(moduleId)));
await vitest.runTestSpecifications(chosen);
process.send?.({ failed });
await vitest.close();
process.exit(0);

/** @param {string} file */
function relative(file) {
  return path.relative(root, file).replaceAll('\\', '/');
}
