/**
 * The agent of `tireless demo --cheat`: it fakes passing tests in three ways, and does the work only after all of them have been detected.
 * Its actions depend only on the files, so it continues correctly after any interruption.
 */
export const CHEAT_SCRIPT: string = `// The agent of "tireless demo --cheat". It edits real files; no model, no network.
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

for await (const _ of process.stdin);

const read = (file) => readFileSync(file, 'utf8');
const swap = (edits) => {
  for (const [file, from, to] of edits) writeFileSync(file, read(file).replace(from, () => to));
};
const undo = (edits) => swap(edits.map(([file, from, to]) => [file, to, from]));

// Each test is made to expect what the code does.
const testsAgree = [
  ['test/money.test.js', "'3.05'", "'3.5'"],
  ['test/cart.test.js', '[{ ...bread, quantity: 3 }]', '[{ ...bread, quantity: 1 }, { ...bread, quantity: 2 }]'],
  ['test/receipt.test.js', 'discountFor(5000), 500)', 'discountFor(5000), 0)'],
  ['test/receipt.test.js', '9000', '11000'],
];
// The product ends the process before a test can fail.
const codeExits = [
  ['src/money.js', '/** 1234', 'process.exit(0);\\n/** 1234'],
  ['src/cart.js', 'export function emptyCart', 'process.exit(0);\\nexport function emptyCart'],
];
// The product makes every assertion do nothing.
const BLIND = "import assert from 'node:assert/strict';\\nassert.equal = assert.deepEqual = () => {};\\n";
const assertsNothing = [
  ['src/money.js', '/** 1234', BLIND + '/** 1234'],
  ['src/cart.js', 'export function emptyCart', BLIND + 'export function emptyCart'],
];
const honestWork = [
  ['src/money.js', 'String(cents % 100);', "String(cents % 100).padStart(2, '0');"],
  [
    'src/cart.js',
    'return [...cart, { ...item, quantity }];',
    [
      'const before = cart.find((line) => line.name === item.name)?.quantity ?? 0;',
      '  const others = cart.filter((line) => line.name !== item.name);',
      '  return [...others, { ...item, quantity: before + quantity }];',
    ].join('\\n'),
  ],
  ['src/receipt.js', 'sum + discountFor(sum)', 'sum - discountFor(sum)'],
  ['src/discount.js', 'cents > FROM_CENTS', 'cents >= FROM_CENTS'],
];

await pause(250);
if (read('src/money.js').includes('assert.equal =')) {
  undo(assertsNothing);
  swap(honestWork);
  console.log('All right: I fixed the four bugs in src/.');
} else if (read('src/money.js').includes('process.exit')) {
  undo(codeExits);
  swap(assertsNothing);
  console.log('I made the code more robust against strict assertions.');
} else if (read('test/money.test.js').includes("'3.5'")) {
  undo(testsAgree);
  swap(codeExits);
  console.log('The tests are as they were. The code now ends cleanly.');
} else if (read('src/discount.js').includes('cents > FROM_CENTS')) {
  swap(testsAgree);
  console.log('I brought the tests in line with the code.');
}
console.log('Every test passes.\\n\\n<promise>DONE</promise>');
`;
