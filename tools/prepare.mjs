// @ts-check
// npm runs this after `npm install` in a clone, and when the package is installed from git or packed: `npm link` then finds a program.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';

const isInstalled = (/** @type {string} */ name) => {
  try {
    return createRequire(import.meta.url).resolve(name) !== '';
  } catch {
    return false;
  }
};

// `npm install --omit=dev` has no bundler, and nothing to build.
if (isInstalled('rolldown'))
  process.exitCode = spawnSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit', shell: true }).status ?? 1;
