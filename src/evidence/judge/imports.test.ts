import { expect, it } from 'vitest';
import { resolveImport } from './imports.ts';

it.each(['.js', '.ts', '.mjs', '.cjs', '.jsx', '.tsx', '.mts', '.cts', '.json', '/index.js', '/index.ts'])(
  'an import without an ending may lead to a file with %s',
  (ending) => {
    expect(resolveImport('./cart', 'src/shop.ts', (file) => file === `src/cart${ending}`)).toBe(`src/cart${ending}`);
  },
);

it('an import by the name of the compiled file leads to its source', () => {
  expect(resolveImport('../cart.js', 'src/a/shop.ts', (file) => file === 'src/cart.ts')).toBe('src/cart.ts');
  expect(resolveImport('./cart.mjs', 'src/shop.mts', (file) => file === 'src/cart.mts')).toBe('src/cart.mts');
  expect(resolveImport('./view.jsx', 'src/shop.tsx', (file) => file === 'src/view.tsx')).toBe('src/view.tsx');
});

it('a package, or a file that is not there, leads to nothing', () => {
  expect(resolveImport('cart', 'src/shop.ts', () => true)).toBeUndefined();
  expect(resolveImport('./cart', 'src/shop.ts', () => false)).toBeUndefined();
});

it('a module of Python is looked for beside the file, below src, and at the top', () => {
  const found = (file: string) => resolveImport('shop/cart', 'tests/test_a.py', (one) => one === file);
  expect(found('shop/cart.py')).toBe('shop/cart.py');
  expect(found('src/shop/cart/__init__.py')).toBe('src/shop/cart/__init__.py');
  expect(found('tests/shop/cart.py')).toBe('tests/shop/cart.py');
  expect(found('lib/shop/cart.py')).toBeUndefined();
});
