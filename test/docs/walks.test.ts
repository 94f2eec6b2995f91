/** The page is made by a run of the program, which takes seconds; here only what can be read from the sources. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = path.join(import.meta.dirname, '../..');
const STRETCH = /^\d+\. (?<folder>[a-z]+): (?<functions>.+)$/u;
/** A walk that changes its folder more often is spread over too many places. */
const CHANGES_MAX: Readonly<Record<string, number>> = {
  'A stop in Claude Code': 34,
  'A stop in a dialect': 70,
  'One iteration': 215,
  Install: 44,
};

const walks = readFileSync(path.join(ROOT, 'docs/internals/walks.md'), 'utf8')
  .split(/^## /mu)
  .slice(1)
  .map((text) => ({
    title: text.slice(0, text.indexOf('\n')),
    stretches: text.split('\n').flatMap((line) => {
      const { folder, functions } = STRETCH.exec(line)?.groups ?? {};
      return folder === undefined || functions === undefined
        ? []
        : [{ folder, functions: functions.replaceAll('`', '').split(', ') }];
    }),
  }));

function declaredIn(folder: string): ReadonlySet<string> {
  const files = readdirSync(path.join(ROOT, 'src', folder), { recursive: true, encoding: 'utf8' });
  const sources = files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(path.join(ROOT, 'src', folder, file), 'utf8'));
  return new Set(sources.flatMap((text) => [...text.matchAll(/\bfunction\*? (\w+)/gu)].map(([, name = '']) => name)));
}

describe('the page of the four walks', () => {
  it('has all of them', () => {
    expect(walks.map(({ title }) => title)).toEqual(Object.keys(CHANGES_MAX));
    expect(walks.every(({ stretches }) => stretches.length > 10)).toBe(true);
  });

  it('names only functions that exist; "node tools/walks.mjs --write" makes it again', () => {
    const stretches = walks.flatMap((walk) => walk.stretches);
    const missing = [...new Set(stretches.map(({ folder }) => folder))].flatMap((folder) => {
      const declared = declaredIn(folder);
      const named = stretches.filter((stretch) => stretch.folder === folder).flatMap(({ functions }) => functions);
      return named.filter((name) => !declared.has(name)).map((name) => `${folder}: ${name}`);
    });
    expect(missing).toEqual([]);
  });

  it('changes its folder no more often than its limit', () => {
    const far = walks.filter(({ title, stretches }) => stretches.length - 1 > (CHANGES_MAX[title] ?? 0));
    expect(far.map(({ title, stretches }) => `${title}: ${stretches.length - 1}`)).toEqual([]);
  });
});
