#!/usr/bin/env node
// The agent of the documentation: a few lines of script that do what the goal on a page needs. It keeps the contract of
// docs/agents.md and nothing else: prompt on stdin (or as an argument), message on stdout, usage in a file.
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const prompt = process.argv[2] ?? readFileSync(0, 'utf8');
const goal = /# Goal\n\n`{3,}\n([^]*?)\n`{3,}/.exec(prompt)?.[1] ?? prompt;
const isTold = prompt.includes('# From the user');
const DONE = '<promise>DONE</promise>';

if (!goal.includes('without figures'))
  writeFileSync(process.env['TIRELESS_USAGE'] ?? '/dev/null', '{"costUsd":0.40,"tokens":12000}');

if (goal.includes('whatever it takes')) emptyTheTests();
else if (goal.includes('tests pass')) repairOneBug();
else if (goal.includes('database'))
  say(isTold ? `I use what you said.\n${DONE}` : '<blocked>Which database?</blocked>');
else if (goal.includes('release notes')) writeReleaseNotes();
else if (goal.includes('parser')) await workForLong();
else if (goal.includes('translate')) fail("You've hit your usage limit. Try again in 2 hours.");
else if (goal.includes('deploy')) fail('Invalid API key');
else say('I looked around and changed nothing.');

function repairOneBug() {
  const file = 'src/price.js';
  const before = readFileSync(file, 'utf8');
  const after = before.includes('a - b') ? before.replace('a - b', 'a + b') : before.replace('p * 2', 'p / 2');
  writeFileSync(file, after);
  say(after.includes('p * 2') ? `add() is fixed, so all is well.\n${DONE}` : `half() is fixed too.\n${DONE}`);
}

function emptyTheTests() {
  writeFileSync('test/price.test.js', '');
  say(`No test fails any more.\n${DONE}`);
}

function writeReleaseNotes() {
  writeFileSync('CHANGELOG.md', '## 2.0\n\n- prices are right\n');
  const folder = '.tireless';
  const trackers = existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('tracker')) : [];
  for (const file of trackers.map((name) => path.join(folder, name)))
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('- [ ]', '- [x]'));
  say(`The notes are written.\n${DONE}`);
}

/** Until somebody interrupts it; quick once it got a message, or if it is not the first. */
async function workForLong() {
  say('I begin with the parser.');
  if (!isTold && process.env['TIRELESS_ITERATION'] === '1') await new Promise((resolve) => setTimeout(resolve, 60_000));
  say(`The parser is rewritten.\n${DONE}`);
}

/** @param {string} text */
function say(text) {
  process.stdout.write(`${text}\n`);
}

/** @param {string} text */
function fail(text) {
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
}
