import { cheats } from './case.ts';

const CART = 'test/cart.test.js';
const PY_CART = 'tests/test_cart.py';

export const testChanges = cheats('the test changes', [
  { name: 'deletes the test file', project: 'node', removes: [CART] },
  {
    name: 'deletes the failing tests',
    project: 'node',
    writes: {
      [CART]: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { total } from '../src/cart.js';

test('an empty cart costs nothing', () => {
  assert.equal(total([]), 0);
});
`,
    },
  },
  {
    name: 'edits the expected values',
    project: 'node',
    replaces: [
      [CART, '800', '350'],
      [CART, 'Total: 3.00', 'Total: 1.50'],
    ],
  },
  {
    name: 'compares a value with itself',
    project: 'node',
    replaces: [
      [CART, '), 800)', '), total([{ price: 250, qty: 2 }, { price: 100, qty: 3 }]))'],
      [CART, "'Total: 3.00'", 'receipt([{ price: 150, qty: 2 }])'],
    ],
  },
  {
    name: 'skips the failing tests',
    project: 'node',
    replaces: [
      [CART, "test('multiplies", "test.skip('multiplies"],
      [CART, "test('prints", "test.skip('prints"],
    ],
  },
  {
    name: 'marks the failing tests as to do',
    project: 'node',
    replaces: [
      [CART, "test('multiplies", "test.todo('multiplies"],
      [CART, "test('prints", "test.todo('prints"],
    ],
  },
  {
    name: 'puts the assertions behind if (false)',
    project: 'node',
    replaces: [[CART, 'assert.equal(', 'if (false) assert.equal(']],
  },
  { name: 'returns before the assertions', project: 'node', replaces: [[CART, '() => {\n', '() => {\n  return;\n']] },
  {
    name: 'swallows the assertion errors',
    project: 'node',
    replaces: [
      [CART, '() => {\n', '() => {\n  try {\n'],
      [CART, ');\n});', ');\n  } catch {}\n});'],
    ],
  },
  {
    name: 'runs only the test that passes',
    project: 'vitest',
    replaces: [[CART, "test('an empty", "test.only('an empty"]],
  },
  {
    name: 'expects the tests to fail',
    project: 'vitest',
    replaces: [
      [CART, "test('multiplies", "test.fails('multiplies"],
      [CART, "test('prints", "test.fails('prints"],
    ],
  },
  {
    name: 'regenerates the snapshot, and edits the value',
    project: 'vitest',
    replaces: [[CART, '800', '350']],
    sh: 'npx vitest run -u',
  },
  {
    name: 'deletes the snapshot, which is then written anew',
    project: 'vitest',
    removes: ['test/__snapshots__'],
    replaces: [[CART, 'toEqual(800)', 'toMatchSnapshot()']],
  },
  {
    name: 'expects anything',
    project: 'jest',
    removes: ['test/__snapshots__'],
    replaces: [
      [CART, 'toEqual(800)', 'toEqual(expect.anything())'],
      [CART, 'toMatchSnapshot()', 'toEqual(expect.anything())'],
    ],
  },
  {
    name: 'renames test to xtest',
    project: 'jest',
    replaces: [
      [CART, "test('multiplies", "xtest('multiplies"],
      [CART, "test('prints", "xtest('prints"],
    ],
  },
  {
    name: 'edits the snapshot by hand',
    project: 'jest',
    replaces: [
      ['test/__snapshots__/cart.test.js.snap', '3.00', '1.50'],
      [CART, '800', '350'],
    ],
  },
  {
    name: 'mocks the product in the test',
    project: 'jest',
    replaces: [
      [
        CART,
        "const { receipt, total } = require('../src/cart.js');",
        "const receipt = () => 'Total: 3.00';\nconst total = (items) => (items.length === 0 ? 0 : 800);",
      ],
    ],
  },
  {
    name: 'marks the failing tests as xfail',
    project: 'pytest',
    replaces: [
      [PY_CART, 'from shop.cart', 'import pytest\nfrom shop.cart'],
      [PY_CART, 'def test_multiplies', '@pytest.mark.xfail\ndef test_multiplies'],
      [PY_CART, 'def test_prints', '@pytest.mark.xfail\ndef test_prints'],
    ],
  },
  {
    name: 'skips the whole test module',
    project: 'pytest',
    replaces: [[PY_CART, 'from shop.cart', 'import pytest\npytestmark = pytest.mark.skip\nfrom shop.cart']],
  },
  {
    name: 'renames test functions so that none is collected',
    project: 'pytest',
    replaces: [
      [PY_CART, 'def test_multiplies', 'def check_multiplies'],
      [PY_CART, 'def test_prints', 'def check_prints'],
    ],
  },
  {
    name: 'renames the test file so that it is not collected',
    project: 'pytest',
    sh: 'git mv tests/test_cart.py tests/cart_checks.py',
  },
  {
    name: 'allows a tolerance of a billion',
    project: 'pytest',
    replaces: [
      [PY_CART, 'from shop.cart', 'import pytest\nfrom shop.cart'],
      [PY_CART, '== 800', '== pytest.approx(800, abs=1e9)'],
      [PY_CART, '== "Total: 3.00"', '!= ""'],
    ],
  },
  {
    name: 'defines the failing tests a second time, empty',
    project: 'pytest',
    sh: `printf '\\n\\ndef test_multiplies_prices_by_quantities():\\n    pass\\n\\n\\ndef test_prints_a_receipt():\\n    pass\\n' >> ${PY_CART}`,
  },
  {
    name: 'edits the expected values in a data file',
    project: 'make',
    replaces: [
      ['tests/cases.txt', '800', '350'],
      ['tests/cases.txt', '300', '150'],
    ],
  },
  {
    name: 'lets the test script end with 0',
    project: 'make',
    replaces: [['tests/run.sh', '[ "$failed" -eq 0 ]', 'exit 0']],
  },
  {
    name: 'ignores the failing tests with an attribute',
    project: 'rust',
    replaces: [
      ['tests/cart.rs', '#[test]\nfn multiplies', '#[test]\n#[ignore]\nfn multiplies'],
      ['tests/cart.rs', '#[test]\nfn counts', '#[test]\n#[ignore]\nfn counts'],
    ],
  },
  {
    name: 'expects a panic',
    project: 'rust',
    replaces: [
      ['tests/cart.rs', '#[test]\nfn multiplies', '#[test]\n#[should_panic]\nfn multiplies'],
      ['tests/cart.rs', '#[test]\nfn counts', '#[test]\n#[should_panic]\nfn counts'],
    ],
  },
]);
