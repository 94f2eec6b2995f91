/**
 * The project of the demo: a till for a corner shop, in plain JavaScript, with tests that need only Node. It has four real bugs, and each of them
 * makes a test fail.
 */
const PACKAGE = `{
  "name": "corner-shop",
  "private": true,
  "type": "module",
  "scripts": { "test": "node --test" }
}
`;

const MONEY = `/** 1234 -> "12.34" */
export function formatCents(cents) {
  const whole = Math.trunc(cents / 100);
  const rest = String(cents % 100);
  return whole + '.' + rest;
}
`;

const CART = `export function emptyCart() {
  return [];
}

/** The same item twice is one line with a larger quantity. */
export function add(cart, item, quantity = 1) {
  return [...cart, { ...item, quantity }];
}

export function subtotal(cart) {
  return cart.reduce((sum, line) => sum + line.cents * line.quantity, 0);
}
`;

const DISCOUNT = `const FROM_CENTS = 5000;
const PERCENT = 10;

/** Ten percent off, at 50.00 and above. */
export function discountFor(cents) {
  return cents > FROM_CENTS ? Math.round((cents * PERCENT) / 100) : 0;
}
`;

const RECEIPT = `import { subtotal } from './cart.js';
import { discountFor } from './discount.js';
import { formatCents } from './money.js';

export function total(cart) {
  const sum = subtotal(cart);
  return sum + discountFor(sum);
}

export function receipt(cart) {
  const lines = cart.map((line) => line.quantity + ' x ' + line.name + ' ' + formatCents(line.cents * line.quantity));
  return [...lines, 'Total ' + formatCents(total(cart))].join('\\n');
}
`;

const MONEY_TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatCents } from '../src/money.js';

test('shows two digits after the point', () => {
  assert.equal(formatCents(1234), '12.34');
  assert.equal(formatCents(305), '3.05');
});
`;

const CART_TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { add, emptyCart, subtotal } from '../src/cart.js';

const bread = { name: 'Bread', cents: 320 };

test('puts the same item on one line', () => {
  assert.deepEqual(add(add(emptyCart(), bread), bread, 2), [{ ...bread, quantity: 3 }]);
});

test('adds up the lines', () => {
  assert.equal(subtotal(add(add(emptyCart(), bread, 2), { name: 'Milk', cents: 115 })), 755);
});
`;

const RECEIPT_TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { discountFor } from '../src/discount.js';
import { receipt, total } from '../src/receipt.js';

test('gives the discount at 50.00 and above', () => {
  assert.equal(discountFor(4999), 0);
  assert.equal(discountFor(5000), 500);
});

test('takes the discount off the total', () => {
  assert.equal(total([{ name: 'Hamper', cents: 10000, quantity: 1 }]), 9000);
});

test('prints a line per item and the total', () => {
  assert.equal(receipt([{ name: 'Milk', cents: 115, quantity: 2 }]), '2 x Milk 2.30\\nTotal 2.30');
});
`;

/** Path in the project -> text. */
export const PROJECT_FILES: Readonly<Record<string, string>> = {
  'package.json': PACKAGE,
  'src/money.js': MONEY,
  'src/cart.js': CART,
  'src/discount.js': DISCOUNT,
  'src/receipt.js': RECEIPT,
  'test/money.test.js': MONEY_TEST,
  'test/cart.test.js': CART_TEST,
  'test/receipt.test.js': RECEIPT_TEST,
};
