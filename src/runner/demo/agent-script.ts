/**
 * The demo agent: a separate program that knows nothing of tireless except what any agent is given, a prompt on stdin. It reads the files, repairs
 * one bug per turn, and is overconfident: with one bug left it already claims to be done. What it does depends only on the prompt and the files, so
 * it continues correctly after any interruption.
 */
export const AGENT_SCRIPT: string = `// The agent of "tireless demo". It edits real files, one bug per turn; no model, no network.
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const repairs = [
  {
    file: 'src/money.js',
    test: 'shows two digits after the point',
    wrong: "const rest = String(cents % 100);",
    right: "const rest = String(cents % 100).padStart(2, '0');",
    says: 'Cents below ten lost their leading zero. I pad them to two digits.',
  },
  {
    file: 'src/cart.js',
    test: 'puts the same article on one line',
    wrong: "return [...cart, { ...article, quantity }];",
    right: [
      "const before = cart.find((line) => line.name === article.name)?.quantity ?? 0;",
      "  const others = cart.filter((line) => line.name !== article.name);",
      "  return [...others, { ...article, quantity: before + quantity }];",
    ].join('\\n'),
    says: 'The same article made a second line. I add up the quantities.',
  },
  {
    file: 'src/receipt.js',
    test: 'takes the discount off the total',
    wrong: "return sum + discountFor(sum);",
    right: "return sum - discountFor(sum);",
    says: 'The discount was added to the total. I subtract it.',
  },
  {
    file: 'src/discount.js',
    test: 'gives the discount from 50.00 on',
    wrong: "cents > FROM_CENTS",
    right: "cents >= FROM_CENTS",
    says: 'Exactly 50.00 got no discount. The comparison now includes it.',
  },
];

let prompt = '';
for await (const chunk of process.stdin) prompt += chunk;

const open = repairs.filter((repair) => readFileSync(repair.file, 'utf8').includes(repair.wrong));
const next = open.find((repair) => prompt.includes(repair.test)) ?? open[0];

if (next === undefined) {
  console.log('I read the code and its tests and found nothing left to repair.');
} else {
  console.log('Looking at "' + next.test + '" in ' + next.file + '.');
  await pause(250);
  writeFileSync(next.file, readFileSync(next.file, 'utf8').replace(next.wrong, () => next.right));
  console.log(next.says);
  await pause(250);
}
const left = open.length - 1;
if (left <= 0) console.log('Everything is repaired.\\n\\n<promise>DONE</promise>');
else if (left === 1) console.log('That should be all of it.\\n\\n<promise>DONE</promise>');
else console.log('There is more to do.');
`;
