import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

/** Phrases that a native reader has to read twice, and what to write instead. Enforced wherever sentences are written. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:was|were|is|are|be|when|not) asked (?:once|yet|from)\b|\bnot asked'/u, 'a check is run'],
  [/\bchecks? holds?\b|\beverything else holds\b|\bchain holds\b/iu, 'a check passes, a chain is intact'],
  [/\bgo(?:es|ing)? on (?:with|in|at|when|without)\b|\bgo on:/u, 'a loop continues'],
  [/\bdecision(?: of a loop)? fell\b/u, 'a decision is made'],
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
  const directory = path.join(import.meta.dirname, '../../src', folder);
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  );
  expect(files.length).toBeGreaterThan(5);
  const found = files.flatMap((name) =>
    readFileSync(path.join(directory, name), 'utf8')
      .split('\n')
      .flatMap((line, at) =>
        PHRASES.filter(([phrase]) => phrase.test(line)).map(([, instead]) => `${name}:${at + 1} ${instead}`),
      ),
  );
  expect(found).toEqual([]);
});
