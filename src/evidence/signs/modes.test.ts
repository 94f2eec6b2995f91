import { runInNewContext, Script } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { elsewhere, elsewhereInManifest } from './modes.ts';

describe('a mode of tests in product code', () => {
  it.each([
    [
      'a.js',
      "const n = process.env.NODE_ENV === 'test' ? 2 : 1;",
      `const n = (/development/.source) === 'test' ? 2 : 1;`,
    ],
    ['a.ts', "if (process.env['NODE_ENV'] !== 'test') log();", `if ((/development/.source) !== 'test') log();`],
    [
      'a.js',
      'const { NODE_ENV } = process.env;',
      'const { NODE_ENV } = { ...process.env, NODE_ENV: (/development/.source) };',
    ],
    ['a.ts', "import.meta.env?.MODE === 'test'", `String(/development/.source) === 'test'`],
    ['a.ts', 'const on = import.meta.env.TEST;', 'const on = undefined;'],
    ['a.ts', 'const n = import.meta.env?.DEV ? qty : 1;', 'const n = false ? qty : 1;'],
    ['a.ts', 'if (!import.meta.env.PROD) start();', 'if (!true) start();'],
    ['a.js', "const n = 'env' in import.meta ? qty : 1;", "const n = 'env' in { url: import.meta.url } ? qty : 1;"],
    ['a.js', 'Object.keys(import.meta);', 'Object.keys({ url: import.meta.url });'],
    ['a.js', 'const on = import.meta.env !== undefined;', 'const on = undefined !== undefined;'],
    ['a.js', 'if (import.meta.env) start();', 'if (undefined) start();'],
    ['a.js', "const on = typeof import.meta.env === 'object';", "const on = typeof undefined === 'object';"],
    ['a.rs', '    if cfg!(debug_assertions) { a } else { b }', '    if cfg!(any()) { a } else { b }'],
    ['a.rs', '#[cfg(not(debug_assertions))]', '#[cfg(not(any()))]'],
    ['a.py', '    return price * (qty if __debug__ else 1)', '    return price * (qty if False else 1)'],
  ])('is rewritten in %s: %s', (file, line, made) => {
    expect(elsewhere(file, 'first\n', `first\n${line}\n`)).toEqual({
      text: `first\n${made}\n`,
      line: 2,
      quoted: line.trim(),
    });
    expect(elsewhere(file, `${line}\n`, `new\n${line}\n`)).toBeUndefined();
  });

  it.each([
    ['a.js', "process.env.NODE_ENV = 'test';\nprocess.env.NODE_ENV ??= 'test';\nconst node = process.env.NODE;\n"],
    ['a.js', "// process.env.NODE_ENV === 'test'\nconst mode = settings.MODE;\n"],
    ['a.js', 'const url = import.meta.env.VITE_URL;\nconst here = import.meta.url;\nload(import.meta.env);\n'],
    ['a.js', 'if (import.meta.hot) import.meta.hot.accept();\nimport.meta.env.DEV = true;\n'],
    ['a.py', 'KEY = "__debug__"\n# __debug__\n'],
    ['a.go', 'process.env.NODE_ENV\n'],
  ])('is not seen in %s: %j', (file, text) => {
    expect(elsewhere(file, undefined, text)).toBeUndefined();
  });

  it.each([
    'eval("process.env.NODE_ENV")',
    "Function('return process.env.NODE_ENV + import.meta.env.MODE')",
    '`NODE_ENV: ${process.env.NODE_ENV}`',
  ])('leaves a line that compiles where it is code in a string: %s', (text) => {
    const made = elsewhere('a.js', undefined, `return ${text};\n`)?.text ?? '';
    expect(made).toContain('development');
    expect(() => new Script(`(() => { ${made} })`)).not.toThrow();
  });

  it('is read as another mode than that of tests', () => {
    const made = elsewhere('a.js', undefined, 'process.env.NODE_ENV\n')?.text ?? '';
    expect(runInNewContext(made)).toBe('development');
  });

  it('may be a condition of package.json', () => {
    const manifest = (imports: object): string => JSON.stringify({ name: 'shop', scripts: { test: 'x' }, imports });
    const made = elsewhereInManifest(
      manifest({}),
      manifest({ '#of': { development: './a.js', node: [{ test: './b.js', default: './c.js' }] } }),
    );
    expect(JSON.parse(made?.text ?? '')).toEqual({
      name: 'shop',
      scripts: { test: 'x' },
      imports: { '#of': { node: [{ default: './c.js' }] } },
    });
    expect(made?.quoted).toContain('development');
    const same = manifest({ '#of': { development: './a.js' } });
    expect(elsewhereInManifest(same, same.replace('shop', 'store'))).toBeUndefined();
    expect(elsewhereInManifest(undefined, manifest({ '#of': { browser: './a.js' } }))).toBeUndefined();
    expect(elsewhereInManifest(undefined, 'no json')).toBeUndefined();
  });
});
