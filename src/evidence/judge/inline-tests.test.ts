import { describe, expect, it } from 'vitest';
import { mayHaveInlineTests, withInlineTests } from './inline-tests.ts';

const PY = `def total(items):
    """The price of all.

    >>> total([(250, 2)])
    500

    Text.
    """
    return 500


if __name__ == "__main__":
    main()
`;
const RS = `/// The price of all.
///
/// \`\`\`
/// assert_eq!(shop::total(&[(250, 2)]), 500);
/// \`\`\`
///
/// \`\`\`text
/// not a test
/// \`\`\`
pub fn total() {}
`;
const TS = `export const total = () => 500;

if (import.meta.vitest) {
  const { expect, test } = import.meta.vitest;
  test('{ multiplies', () => {
    expect(total()).toBe(500); // }
  });
}
export const after = 1;
`;

describe('tests inside product files', () => {
  it.each([
    ['a.py', PY, PY.replace('500\n\n', '250\n\n'), 'example of total'],
    ['a.rs', RS, RS.replace('500)', '250)'), 'example 1'],
    ['a.ts', TS, TS.replace('toBe(500)', 'toBe(250)'), 'tests in the file'],
  ])('are added in %s when they were edited', (file, before, after, name) => {
    const { text, changed } = withInlineTests(file, after, before);
    expect(changed).toEqual([name]);
    expect(text).toContain('250');
    expect(text.match(/500/g)?.length).toBe((after.match(/500/g)?.length ?? 0) + 1);
    expect(withInlineTests(file, text, before)).toEqual({ text, changed: [] });
  });

  it.each([
    ['a.py', PY, 'def total(items):\n    return 1\n'],
    ['a.rs', RS, 'pub fn total() {}\n'],
    ['a.ts', TS, 'export const total = () => 500;\n'],
  ])('are added in %s when they were removed', (file, before, after) => {
    expect(withInlineTests(file, after, before).text).toContain('500');
    expect(withInlineTests(file, after, before).changed).toHaveLength(1);
  });

  it.each([
    ['a.py', PY, PY.replace('    500\n', '    500\n    >>> total([])\n    0\n').replace('return 500', 'return 1')],
    ['a.rs', RS, `${RS.replace('pub fn', 'pub async fn')}/// \`\`\`\n/// assert!(true);\n/// \`\`\`\nfn more() {}\n`],
    ['a.ts', TS, `// moved\n${TS.replaceAll('  ', '    ')}`],
    ['a.py', 'text = """no example"""\n', 'text = """other"""\n'],
    ['a.go', PY, ''],
  ])('stay as they are in %s when they are only moved, formatted or extended', (file, before, after) => {
    expect(withInlineTests(file, after, before)).toEqual({ text: after, changed: [] });
  });

  it('come before the start of a Python program, and keep what the module names itself', () => {
    const { text } = withInlineTests('a.py', PY.replace('500\n\n', '250\n\n'), PY);
    expect(text.indexOf('__test__ = {')).toBeGreaterThan(0);
    expect(text.indexOf('__test__ = {')).toBeLessThan(text.indexOf('if __name__'));
    expect(text).toContain('**(globals().get("__test__") or {}),');
  });

  it('are looked for by the ending of the name', () => {
    expect(['a.py', 'a.rs', 'a.tsx', 'a.go', 'py'].filter(mayHaveInlineTests)).toEqual(['a.py', 'a.rs', 'a.tsx']);
  });
});
