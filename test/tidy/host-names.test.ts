/** What differs between hosts or between dialects is data or code in their folders: shared code never tests for a name. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { DIALECT_NAMES } from '../../src/dialects/names.ts';
import { HOST_IDS } from '../../src/hosts/ids.ts';

const SRC = path.join(import.meta.dirname, '../../src');
const NAMES = [...HOST_IDS, ...DIALECT_NAMES];
const ASKED = new RegExp(`(?:[!=]==?|\\bcase)\\s*'(?:${NAMES.join('|')})'`, 'u');
/** The wire of a model has the same name as a host. */
const OTHER_MEANING = /^setup[\\/]fake-model[\\/]/u;

function isOwnFolder(file: string): boolean {
  const [layer = '', name = ''] = file.split(/[\\/]/u);
  return ['hosts', 'dialects', 'facades'].includes(layer) && NAMES.some((each) => each === name);
}

function asks(text: string): readonly number[] {
  return text.split('\n').flatMap((line, at) => (ASKED.test(line) ? [at + 1] : []));
}

it('shared code asks for the name of no host and of no dialect', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !isOwnFolder(file) && !OTHER_MEANING.test(file),
  );
  expect(files.length).toBeGreaterThan(200);
  const found = files.flatMap((file) =>
    asks(readFileSync(path.join(SRC, file), 'utf8')).map((line) => `${file}:${line}`),
  );
  expect(found).toEqual([]);
});

it.each(["if (host === 'codex') {", "    case 'gemini':", "name !== 'ralph-wiggum'"])('sees %j', (line) => {
  expect(asks(line)).toEqual([1]);
});
