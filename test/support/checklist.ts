import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');
const TEST_FOLDERS = ['src', 'test'];
const TEST_NAME = /(?:\b(?:it|test)(?:\.\w+)*\(|\)\()\s*(['"`])((?:\\[\s\S]|(?!\1)[^\\])*)\1/g;
const ROWS_MIN = 10;
const CELL_CHARS_MAX = 150;

type Row = { readonly requirement: string; readonly test: string; readonly file: string };

/**
 * `docs/dialects/NAME-checklist.md` is one table with a line per requirement of the document: the requirement, the name of the test that shows it,
 * and the test's file with its folder. Every test must exist, and every line must be readable.
 */
export function checklistHolds(dialect: string): void {
  const docFile = `docs/dialects/${dialect}-checklist.md`;
  const rows = rowsOf(readFileSync(path.resolve(ROOT, docFile), 'utf8'));

  it(`${docFile} has a line for every requirement`, () => {
    expect(rows.length).toBeGreaterThanOrEqual(ROWS_MIN);
    expect(rows.filter((row) => row.requirement === '')).toEqual([]);
  });

  it(`${docFile} has lines that people can read`, () => {
    expect(rows.filter((row) => Object.values(row).some((cell) => cell.length > CELL_CHARS_MAX))).toEqual([]);
  });

  it(`${docFile} names tests that exist`, () => {
    expect(rows.filter(({ test, file }) => !namesIn(file).includes(test))).toEqual([]);
  });
}

/** Table rows, without the header. */
function rowsOf(page: string): Row[] {
  const lines = page.split(/\r?\n/u).filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) => {
    const [, requirement = '', test = '', file = ''] = line.split(/(?<!\\)\|/u).map((cell) => cell.trim());
    return { requirement, test: test.replaceAll('\\|', '|').replaceAll(/^`|`$/gu, ''), file };
  });
}

/** The names of the tests in every file whose path ends with this: `stravinsky/stravinsky.test.ts`. */
function namesIn(file: string): string[] {
  const ending = `/${file}`;
  return testFiles()
    .filter((one) => one.endsWith(ending))
    .flatMap((one) => [...readFileSync(path.join(ROOT, one), 'utf8').matchAll(TEST_NAME)])
    .map(([, , name = '']) => name.replaceAll(/\\(.)/gu, '$1'));
}

let found: readonly string[] | undefined;

function testFiles(): readonly string[] {
  found ??= TEST_FOLDERS.flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((one) => one.endsWith('.ts'))
      .map((one) => `${folder}/${one.replaceAll('\\', '/')}`),
  );
  return found;
}
