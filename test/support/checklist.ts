import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** A test of a row: `` `test/dialects/x.test.ts` › `stops at the limit` ``. A row may name several. */
const SHOWN = /`([^`]+\.ts)` › `([^`]+)`/g;
const TEST_NAME = /(?:\b(?:it|test)(?:\.\w+)*\(|\)\()\s*(['"`])((?:\\[\s\S]|(?!\1)[^\\])*)\1/g;
const ROWS_MIN = 10;

/**
 * A page of `docs/dialects/` with a heading "Checklist" and under it a table of two columns: what the document promises, and the
 * tests that show it. Every row names a test, and every test it names exists.
 */
export function checklistHolds(docFile: string): void {
  const rows = rowsOf(readFileSync(path.resolve(ROOT, docFile), 'utf8'));

  it(`${docFile} has a checklist`, () => {
    expect(rows.length).toBeGreaterThanOrEqual(ROWS_MIN);
  });

  it(`${docFile} names a test for every promise`, () => {
    expect(rows.filter((row) => shownBy(row).length === 0)).toEqual([]);
  });

  it(`${docFile} names tests that exist`, () => {
    const missing = rows.flatMap((row) =>
      shownBy(row)
        .filter(({ file, name }) => !namesIn(file).includes(name))
        .map(({ file, name }) => `${file} › ${name}`),
    );
    expect(missing).toEqual([]);
  });
}

/** Table rows between the heading "Checklist" and the next heading of its level, without the table's own head. */
function rowsOf(page: string): string[] {
  const part = /^## Checklist\r?\n(.*?)(?=^## |(?![\s\S]))/msu.exec(page)?.[1] ?? '';
  const lines = part.split(/\r?\n/u).filter((line) => line.startsWith('|'));
  return lines.filter((line, at) => !isRule(line) && !isRule(lines[at + 1] ?? ''));
}

function isRule(line: string): boolean {
  return line !== '' && /^[|\s:-]+$/u.test(line);
}

function shownBy(row: string): { readonly file: string; readonly name: string }[] {
  return [...row.replaceAll('\\|', '|').matchAll(SHOWN)].map(([, file = '', name = '']) => ({ file, name }));
}

function namesIn(file: string): string[] {
  const absolute = path.resolve(ROOT, file);
  if (!existsSync(absolute)) return [];
  return [...readFileSync(absolute, 'utf8').matchAll(TEST_NAME)].map(([, , name = '']) =>
    name.replaceAll(/\\(.)/gu, '$1'),
  );
}
