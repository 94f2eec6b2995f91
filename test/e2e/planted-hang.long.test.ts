import { expect, it } from 'vitest';
import { aUser } from '../support/run-cli.ts';
import { git } from '../support/a-project.ts';

/** A third of what the check may take before it is ended, and far more than its runs need. */
const LOOP_MS_MAX = 200_000;

const SERVER = "require('node:http').createServer((request, response) => response.end(process.env.SHOP ?? 'open'))";
const FILES = {
  'package.json': '{ "name": "shop", "scripts": { "test": "node --test" } }\n',
  'shop.txt': `exports.open = () => ${SERVER};\n`,
  'test/shop.test.js': [
    "const assert = require('node:assert');",
    "const { test } = require('node:test');",
    "const { open } = require('../src/shop.js');",
    "test('answers', async () => {",
    '  const server = open().listen(0);',
    '  const response = await fetch(`http://127.0.0.1:${server.address().port}`);',
    "  assert.strictEqual(await response.text(), 'open');",
    '  server.closeAllConnections();',
    '  server.close();',
    '});\n',
  ].join('\n'),
};

it('tests that must fail and then hang do not hold up the finish', { timeout: LOOP_MS_MAX }, async () => {
  const user = aUser(FILES);
  git(user.project, 'init', '-q');
  git(user.project, 'add', '-A');
  git(user.project, 'commit', '-q', '-m', 'a shop to be written');
  const agent = 'cat >/dev/null; mkdir -p src; cp shop.txt src/shop.js; echo "<promise>DONE</promise>"';
  const ran = await user.tireless(['run', 'open the shop', '--agent-command', agent, '--check', 'npm test']);
  expect(ran.stdout).toContain('completed, verified (clean room)');
});
