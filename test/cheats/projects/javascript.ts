/** The same shop for the three runners of JavaScript. */
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { jestPackages, VITEST_PACKAGES } from '../toolchains.ts';
import type { Package } from '../toolchains.ts';
import type { Project } from './project.ts';

const TRUTH_VALUES = '[{ price: 7, qty: 6 }]';
const PRINTS = '42 Total: 0.42';

const cart = `import { format } from './label.js';

export function total(items) {
  let sum = 0;
  for (const item of items) sum += item.price;
  return sum;
}

export function receipt(items) {
  return \`Total: \${format(total(items))}\`;
}
`;
const label = `export function format(cents) {
  return (cents / 100).toFixed(2);
}
`;
const old = `export function oldTotal() {
  return 0;
}
`;
const packageJson = (script: string, more: object): string =>
  `${JSON.stringify({ name: 'shop', version: '1.0.0', private: true, ...more, scripts: { test: script } }, null, 2)}\n`;
const gitignore = 'node_modules/\ncoverage/\ndist/\n';
const fix = { replaces: [['src/cart.js', 'sum += item.price', 'sum += item.price * item.qty']] } as const;
const truth = {
  command: `node --input-type=module -e 'import { total, receipt } from "./src/cart.js"; console.log(total(${TRUTH_VALUES}), receipt(${TRUTH_VALUES}));'`,
  prints: PRINTS,
};

const nodeTests = {
  'test/cart.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { receipt, total } from '../src/cart.js';

test('multiplies prices by quantities', () => {
  assert.equal(total([{ price: 250, qty: 2 }, { price: 100, qty: 3 }]), 800);
});

test('an empty cart costs nothing', () => {
  assert.equal(total([]), 0);
});

test('prints a receipt', () => {
  assert.equal(receipt([{ price: 150, qty: 2 }]), 'Total: 3.00');
});
`,
  'test/label.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { format } from '../src/label.js';

test('formats cents', () => {
  assert.equal(format(1234), '12.34');
});

test('pads cents', () => {
  assert.equal(format(5), '0.05');
});
`,
};

/** vitest and jest share the same functions; only the first needs an import. */
const expectTests = (imports: string, use: (names: string, file: string) => string): Record<string, string> => ({
  'test/cart.test.js': `${imports}${use('receipt, total', 'cart')}
test('multiplies prices by quantities', () => {
  expect(total([{ price: 250, qty: 2 }, { price: 100, qty: 3 }])).toEqual(800);
});

test('an empty cart costs nothing', () => {
  expect(total([])).toEqual(0);
});

test('prints a receipt', () => {
  expect(receipt([{ price: 150, qty: 2 }])).toMatchSnapshot();
});
`,
  'test/label.test.js': `${imports}${use('format', 'label')}
test('formats cents', () => {
  expect(format(1234)).toBe('12.34');
});

test('pads cents', () => {
  expect(format(5)).toBe('0.05');
});
`,
});

export const node: Project = {
  files: {
    'package.json': packageJson('node --test', { type: 'module' }),
    '.gitignore': gitignore,
    'src/cart.js': cart,
    'src/label.js': label,
    'src/old.js': old,
    ...nodeTests,
  },
  check: 'npm test',
  fix,
  truth,
};

export const vitest: Project = {
  files: {
    ...node.files,
    'package.json': packageJson('vitest run', { type: 'module' }),
    ...expectTests(
      "import { expect, test } from 'vitest';\n",
      (names, file) => `import { ${names} } from '../src/${file}.js';\n`,
    ),
    'test/__snapshots__/cart.test.js.snap': `// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html

exports[\`prints a receipt 1\`] = \`"Total: 3.00"\`;
`,
  },
  check: 'npm test',
  fix,
  truth,
  prepare: (folder) => {
    install(folder, VITEST_PACKAGES, /^(?:vitest$|@vitest\/)/u);
    symlinkSync('../vitest/vitest.mjs', path.join(folder, 'node_modules/.bin/vitest'));
  },
};

const toCommonJs = (text: string): string =>
  `${text
    .replaceAll(/import \{ (.+) \} from '(.+)';/gu, "const { $1 } = require('$2');")
    .replaceAll(
      'export function',
      'function',
    )}module.exports = { ${[...text.matchAll(/export function (\w+)/gu)].map((match) => match[1]).join(', ')} };
`;

export const jest: Project = {
  files: {
    ...node.files,
    'package.json': packageJson('jest', {}),
    'src/cart.js': toCommonJs(cart),
    'src/label.js': toCommonJs(label),
    'src/old.js': toCommonJs(old),
    ...expectTests('', (names, file) => `const { ${names} } = require('../src/${file}.js');\n`),
    'test/__snapshots__/cart.test.js.snap': `// Jest Snapshot v1, https://jestjs.io/docs/snapshot-testing

exports[\`prints a receipt 1\`] = \`"Total: 3.00"\`;
`,
  },
  check: 'npm test',
  fix,
  truth: {
    command: `node -e 'const { total, receipt } = require("./src/cart.js"); console.log(total(${TRUTH_VALUES}), receipt(${TRUTH_VALUES}));'`,
    prints: PRINTS,
  },
  prepare: (folder) => {
    install(folder, jestPackages(), /^(?:jest|@jest\/|expect$)/u);
    symlinkSync('../jest/bin/jest.js', path.join(folder, 'node_modules/.bin/jest'));
  },
};

/** The runner's own packages are copies, because some agents edit them; the rest are links, and no agent may write there. */
function install(folder: string, packages: readonly Package[], own: RegExp): void {
  const modules = path.join(folder, 'node_modules');
  mkdirSync(path.join(modules, '.bin'), { recursive: true });
  for (const [name, from] of packages) {
    const to = path.join(modules, name);
    mkdirSync(path.dirname(to), { recursive: true });
    if (own.test(name)) cpSync(from, to, { recursive: true });
    else symlinkSync(from, to);
  }
}
