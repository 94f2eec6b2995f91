import { describe, expect, it } from 'vitest';
import { plantTests, hasOuterEffects } from './plant-tests.ts';

const planted = (path: string, text: string) => plantTests(new Map([[path, text]])).get(path);
const lineWith = (text: string | undefined, word: string): string | undefined =>
  text?.split('\n').find((line) => line.includes(word));

describe('planted tests', () => {
  it.each([
    ['assert.equal(add(2, 3), 5);', 'assert.equal(add(2, 3), 6);'],
    ["assert.equal(add(2, 3), 5, 'adds');", "assert.equal(add(2, 3), 6, 'adds');"],
    ['assert.equal(5, add(2, 3));', 'assert.equal(6, add(2, 3));'],
    ["assert.strictEqual(name(), 'a, b');", "assert.strictEqual(name(), 'a, b~');"],
    ['equal(add("(", 3), 0.5);', 'equal(add("(", 3), 1.5);'],
    ['expect(add(2, 3)).toBe(5);', 'expect(add(2, 3)).toBe(6);'],
    ['expect(isOdd(3)).toEqual(true);', 'expect(isOdd(3)).toEqual(false);'],
    ['expect(add(2, 3)).to.equal(5);', 'expect(add(2, 3)).to.equal(6);'],
  ])('expect another value in JavaScript: %s', (line, other) => {
    const made = planted('test/a.test.js', `test('adds', () => {\n${line}\n});\n`);
    expect(made).toMatchObject({ values: 1 });
    expect(made?.wrong).toContain(other);
    expect(made?.raising).toContain('throw');
    expect(made?.raising).not.toContain(other);
  });

  it.each([
    'assert.notEqual(add(2, 3), 5);',
    'expect(add(2, 3)).not.toBe(5);',
    '// assert.equal(add(2, 3), 5);',
    'assert.equal(add(2, 3), five);',
    'assert.equal(4, 5);',
    'assert.equal(add(2, 3), `5`);',
    'expect(add(2, 3)).toBeCloseTo(5);',
    'assert.deepEqual(add(2, 3), {',
  ])('leave alone what cannot be told for sure in JavaScript: %s', (line) => {
    const made = planted('test/a.test.js', `test('adds', () => {\n${line}\n});\n`);
    expect(made).toMatchObject({ values: 0 });
    expect(made?.wrong).toContain(line);
    expect(made?.raising).toContain(line);
  });

  it.each([
    ['    assert add(2, 3) == 5', '    assert add(2, 3) == 6'],
    ['    assert add(2, 3) == 5, "adds"', '    assert add(2, 3) == 6, "adds"'],
    ['    assert name() == "a"  # short', '    assert name() == "a~"  # short'],
    ['    assert is_odd(3) == True', '    assert is_odd(3) == False'],
    ['        self.assertEqual(add(2, 3), 5)', '        self.assertEqual(add(2, 3), 6)'],
  ])('expect another value in Python: %s', (line, other) => {
    const made = planted('tests/test_a.py', `def test_a():\n${line}\n`);
    expect(made).toMatchObject({ values: 1 });
    expect(made?.wrong).toContain(other);
    expect(made?.raising).toContain('(1 // 0)');
  });

  it.each(['    assert not a == 5', '    assert a or b == 5', '    assert a == b', '    # assert a == 5'])(
    'leave alone what cannot be told for sure in Python: %s',
    (line) => {
      expect(planted('tests/test_a.py', `def test_a():\n${line}\n`)).toMatchObject({ values: 0 });
    },
  );

  it('use the words and the assertions of the file', () => {
    const uses = (text: string): string | undefined => lineWith(planted('a.test.ts', text)?.wrong, 'again');
    expect(uses("it('a', () => { assert.deepEqual(a, b); });")).toMatch(/^it\(.* assert\.deepEqual\(\d+, \d+\)/);
    expect(uses("test('a', () => { expect(a).toBe(b); });")).toMatch(/^test\(.* expect\(\d+\)\.toBe\(\d+\)/);
    expect(uses("test('a', () => { expect(a).to.eql(b); });")).toMatch(/expect\(\d+\)\.to\.equal\(\d+\)/);
    expect(uses("test('a', () => { assert(a); });")).toMatch(/assert\(Number\(\d+\) === \d+\)/);
    expect(uses("test('a', () => { t.pass(); });")).toMatch(/throw/);
  });

  it('are methods where the file has classes, and come before the start of the program', () => {
    const text = 'class TestA(unittest.TestCase):\n    pass\n\nif __name__ == "__main__":\n    unittest.main()\n';
    const made = planted('tests/test_a.py', text)?.wrong ?? '';
    expect(made.indexOf('(self)')).toBeGreaterThan(0);
    expect(made.indexOf('(self)')).toBeLessThan(made.indexOf('if __name__'));
  });

  it('are not put into files that declare no test, or in other languages', () => {
    expect(planted('test/helper.js', 'export const a = 1;\n')).toBeUndefined();
    expect(planted('tests/helper.py', 'A = 1\n')).toBeUndefined();
    expect(planted('tests/a.rs', '#[test]\nfn a() {}\n')).toBeUndefined();
  });
});

describe('product code', () => {
  const reaches = (path: string, after: string, before?: string): boolean =>
    hasOuterEffects([{ path, isTest: false, before, after }]);

  it.each([
    ['src/a.js', "const m = (await import('node:ass' + 'ert')).default;"],
    ['src/a.js', "globalThis['proc' + 'ess'].exit(0);"],
    ['src/a.js', "lib['eq' + 'ual'] = () => {};"],
    ['src/a.js', "const f = []['at']['const' + 'ructor'];"],
    ['src/a.js', "import fs from 'node:fs';"],
    ['src/a.ts', 'export const a = { [key]: () => true };'],
    ['src/a.js', "const f = (() => {})?.['constr' + 'uctor'];"],
    ['src/a.js', "  ['constr' + 'uctor'];"],
    ['src/a.js', "const f = ''['constr' + 'uctor'];"],
    ['src/a.js', "const f = one/* */['constr' + 'uctor'];"],
    ['src/a.js', String.raw`const { 'const\x72uctor': f } = () => {};`],
    ['src/a.js', String.raw`const all = \u0067lobalThis;`],
    ['src/a.js', String.raw`const all = gl\u{6f}balThis;`],
    ['src/a.js', 'const text = String(total.caller);'],
    ['src/a.js', 'expect = () => ({ toBe() {} });'],
    ['src/a.js', 'test = (name) => real(name, () => {});'],
    ['src/a.js', 'const [kind] = [Object];'],
    ['src/a.js', 'kind = Object;'],
    ['src/a.js', 'with (value) is = () => true;'],
    ['src/a.js', 'for (const each of all) try { each(value); } catch {}'],
    ['src/a.js', 'const load = (x) => ({ then: (done) => done(x) });'],
    ['src/a.py', 'import sys'],
    ['src/a.py', 'for module in re.enum.sys.modules.values():'],
    ['src/a.py', 'from enum import sys'],
    ['src/a.py', 'import math, subprocess'],
    ['src/a.py', 'import math; import subprocess'],
    ['src/a.py', 'if True: import subprocess'],
    ['src/a.py', 'ｅxec("1")'],
    ['src/a.py', '    yield me[0].gi_frame.f_back'],
    ['src/a.py', 'T = type("T", (int,), {})'],
    ['src/a.py', 'setattr(a, "b", c)'],
    ['src/a.py', '    def __eq__(self, other): ...'],
  ])('that reaches out of its values is seen in %s: %s', (path, line) => {
    expect(reaches(path, line)).toBe(true);
    expect(reaches(path, `${line}\nplain\n`, `${line}\n`)).toBe(false);
  });

  it.each([
    [
      'src/a.js',
      "import { format } from './label.js';\nexport const total = (items) => items.reduce((sum, i) => sum + i.price * i.qty, 0);",
    ],
    ['src/a.js', 'const first = items[0];\nconst list = [];'],
    ['src/a.js', "const RATES = [\n  ['a', 1],\n  ['b', 2],\n];\nconst sign = '\\u20ac';\nconst escape = '\\x1b';"],
    [
      'src/a.ts',
      'const made = new Map<string, Date>();\nif (error instanceof Error) throw error;\nexport const at = (day: Date) => day;',
    ],
    ['src/a.js', 'const sizes = names.map(Number).filter(Boolean);\nconst keys = Object.keys(sizes);'],
    ['src/a.py', 'import math\nimport re\n\nBIG = "ｓｕｓｈｉ"\nROUND = math.floor(2.5)'],
    [
      'src/a.py',
      'from .label import format_cents\n\n\ndef total(items):\n    return sum(price * qty for price, qty in items)',
    ],
  ])('that only computes pays nothing: %s', (path, text) => {
    expect(reaches(path, text)).toBe(false);
  });
});
