import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const PAGE = path.resolve(import.meta.dirname, '../../../docs/known-bugs.md');
/** So many failures are known; a page that lists fewer has lost some. */
const ROWS_MIN = 45;

type Row = { readonly line: string; readonly file: string; readonly names: readonly string[] };

/** The last cell: a link to the file, then the name of the test, then the cases of it that matter. */
function rowsOf(page: string): readonly Row[] {
  return page.split('\n').flatMap((line) => {
    const [, target, names] = /\| \[[^\]]+\]\(([^)]+)\) ((?:`[^`]+`(?:, )?)+) *\|$/u.exec(line) ?? [];
    if (target === undefined || names === undefined) return [];
    const file = path.resolve(path.dirname(PAGE), target);
    return [{ line, file, names: [...names.matchAll(/`([^`]+)`/gu)].map(([, name = '']) => name) }];
  });
}

/** As a string of the source, whatever quotes it stands in; the name of a test is what `it` or the call after `it.each` is given. */
function hasTest(source: string, name: string): boolean {
  return new RegExp(String.raw`(?:\bit|\))\(\s*(['"\x60])${escaped(name)}\1`, 'u').test(source);
}

function hasText(source: string, name: string): boolean {
  return new RegExp(String.raw`(['"\x60])${escaped(name)}\1`, 'u').test(source);
}

function escaped(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/gu, String.raw`\$&`);
}

describe('the page of known bugs', () => {
  const page = readFileSync(PAGE, 'utf8');
  const rows = rowsOf(page);

  it('is read to the last row: every row of its tables names a test or the part it comes with', () => {
    const tableRows = page.split('\n').filter((line) => /^\| (?!Seen elsewhere|-)/u.test(line));
    const later = tableRows.filter((line) => /\| (?:in-session hooks|dialects) *\|$/u.test(line));
    expect(rows.length).toBeGreaterThanOrEqual(ROWS_MIN);
    expect(rows.length + later.length).toBe(tableRows.length);
  });

  it('names only tests that exist', () => {
    const missing = rows.filter(({ file, names: [name = '', ...cases] }) => {
      const source = existsSync(file) ? readFileSync(file, 'utf8') : '';
      return !hasTest(source, name) || !cases.every((one) => hasText(source, one));
    });
    expect(missing.map(({ line }) => line)).toEqual([]);
  });

  it('would notice a test that was renamed', () => {
    expect(hasTest("it('does a thing', () => {})", 'does a thing')).toBe(true);
    expect(hasTest("])('does %s (often)', () => {})", 'does %s (often)')).toBe(true);
    expect(hasTest("it('does another thing', () => {})", 'does a thing')).toBe(false);
    expect(hasTest("// it used to: 'does a thing'", 'does a thing')).toBe(false);
  });
});
