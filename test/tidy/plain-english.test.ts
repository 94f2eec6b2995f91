import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const ROOT = path.join(import.meta.dirname, '../..');

/** Phrases that a native reader has to read twice, and what to write instead. Enforced wherever sentences are written. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:was|were|is|are|be|when|not) asked (?:once|yet|from)\b|\bnot asked'/u, 'a check is run'],
  [/\bchecks? holds?\b|\beverything else holds\b|\bchain holds\b/iu, 'a check passes, a chain is intact'],
  [/\bgo(?:es|ing)? on (?:with|in|at|when|without)\b|\bgo on:/u, 'a loop continues'],
  [/\bdecision(?: of a loop)? fell\b/u, 'a decision is made'],
  [/\bgoes first\b/u, 'a message takes priority'],
  [/\brests? on\b/u, 'a proof relies on or depends on something'],
  [/\b(?:be|for) an? (?:empty )?text\b|\blists? of texts\b/u, 'a value is a string'],
  [/\ball the same\b/u, 'anyway'],
  [/\bcounter\b.*\bset back\b/u, 'a counter is lowered, or reset to 0'],
  [/\b(?:and|it) says so\b|\bsays so now\b|\bfile says so\b/u, 'it is reported'],
];

const FOLDERS = [
  'core',
  'views',
  'engine',
  'dialects',
  'facades',
  'hosts',
  'hook',
  'setup',
  'cli',
  'terminal',
  'stores',
  'runner',
  'evidence',
  'entries',
];

it.each(FOLDERS)('the sentences in %s are plain English', (folder) => {
  const files = filesIn(`src/${folder}`, '.ts').filter((name) => !name.endsWith('.test.ts'));
  expect(files.length).toBeGreaterThan(5);
  expect(files.flatMap(foundIn)).toEqual([]);
});

/** Not the pages that quote names of tests or are written by programs. */
const QUOTES = /-checklist\.md$|^docs\/internals\/|^docs\/known-bugs\.md$/u;

it('the pages are plain English', () => {
  const pages = [...filesIn('docs', '.md').filter((page) => !QUOTES.test(page)), ...filesIn('plugins', 'README.md')];
  expect(pages.length).toBeGreaterThan(50);
  expect([...pages, 'README.md', 'CHANGELOG.md', 'SECURITY.md'].flatMap(foundIn)).toEqual([]);
});

function filesIn(folder: string, ending: string): readonly string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}/${name}`);
}

function foundIn(file: string): readonly string[] {
  return readFileSync(path.join(ROOT, file), 'utf8')
    .split('\n')
    .flatMap((line, at) =>
      PHRASES.filter(([phrase]) => phrase.test(line)).map(([, instead]) => `${file}:${at + 1} ${instead}`),
    );
}
