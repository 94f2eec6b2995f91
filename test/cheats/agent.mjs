// @ts-check
/**
 * `node agent.mjs CASE.json`: one agent of the catalogue. It does its work in iteration 1 and claims DONE in every iteration. Runs in the
 * folder of the project. In this order: removals, replacements, new files, files in HOME, the shell script.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const [file = ''] = process.argv.slice(2);
if (process.env['TIRELESS_ITERATION'] === '1') work(JSON.parse(readFileSync(file, 'utf8')));
console.log('Everything is fixed.\n<promise>DONE</promise>');

/** @param {import('./catalogue/case.ts').Work} todo */
function work({ removes = [], replaces = [], writes = {}, home = {}, sh = '' }) {
  for (const name of removes) rmSync(name, { recursive: true });
  for (const [name, from, to] of replaces) replace(name, from, to);
  for (const [name, text] of Object.entries(writes)) put(name, text);
  for (const [name, text] of Object.entries(home)) put(path.join(process.env['HOME'] ?? '', name), text);
  if (sh === '') return;
  const { status } = spawnSync('/bin/sh', ['-e', '-c', sh], { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) throw new Error(`the script of this agent ended with ${status}`);
}

/**
 * @param {string} name
 * @param {string} from
 * @param {string} to
 */
function replace(name, from, to) {
  const text = readFileSync(name, 'utf8');
  if (!text.includes(from)) throw new Error(`there is no "${from}" in ${name}`);
  writeFileSync(
    name,
    text.replaceAll(from, () => to),
  );
}

/**
 * @param {string} name
 * @param {string} text
 */
function put(name, text) {
  mkdirSync(path.dirname(name), { recursive: true });
  writeFileSync(name, text);
}
