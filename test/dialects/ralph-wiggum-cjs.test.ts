import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { cleanEnvironment } from '../support/clean-environment.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

it('is the function itself for a CommonJS stop.js', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'tireless-stop-js-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  // A project of its own, whatever lies in the folders above it.
  writeFileSync(path.join(folder, 'package.json'), '{}\n');
  // As after `npm install tireless`: the built package, found by its name and its exports.
  mkdirSync(path.join(folder, 'node_modules'));
  symlinkSync(ROOT, path.join(folder, 'node_modules/tireless'), 'junction');
  const hooks = path.join(folder, '.claude/hooks');
  mkdirSync(hooks, { recursive: true });
  writeFileSync(path.join(hooks, 'stop.js'), "module.exports = require('tireless/ralph-wiggum');\n");
  mkdirSync(path.join(folder, 'AI_Employee_Vault/Ralph_State'), { recursive: true });
  const state = { prompt: 'Go.', completion_promise: 'OK', pause_between_iterations: 0 };
  writeFileSync(path.join(folder, 'AI_Employee_Vault/Ralph_State/RALPH_1.json'), JSON.stringify(state));
  const script = `const hook = require('./.claude/hooks/stop.js');
    const text = (name) => typeof hook[name];
    hook({ output: 'hm' }).then((reply) => console.log(JSON.stringify({ is: typeof hook, made: text('createStopHook'), reply })));`;
  const ran = spawnSync(process.execPath, ['-e', script], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...cleanEnvironment(folder), TIRELESS_HOME: path.join(folder, 'home') },
  });
  expect(ran.stderr).toBe('');
  expect(JSON.parse(ran.stdout)).toEqual({
    is: 'function',
    made: 'function',
    reply: { allowExit: false, injectPrompt: 'Go.', message: 'Continuing loop (iteration 1/10)' },
  });
});
