/**
 * The demo agent: a separate program that knows nothing about tireless and, like any agent, gets a prompt on stdin. It reads the files,
 * repairs one bug per turn, and is overconfident: with one bug left it already claims to be done. Its actions depend only on the prompt and
 * the files, so it continues correctly after any interruption.
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
    says: 'Cents below ten lost their leading zero. They now have two digits.',
  },
  {
    file: 'src/cart.js',
    test: 'puts the same item on one line',
    wrong: "return [...cart, { ...item, quantity }];",
    right: [
      "const before = cart.find((line) => line.name === item.name)?.quantity ?? 0;",
      "  const others = cart.filter((line) => line.name !== item.name);",
      "  return [...others, { ...item, quantity: before + quantity }];",
    ].join('\\n'),
    says: 'The same item got a second line. Now its quantities are added up.',
  },
  {
    file: 'src/receipt.js',
    test: 'takes the discount off the total',
    wrong: "return sum + discountFor(sum);",
    right: "return sum - discountFor(sum);",
    says: 'The discount was added to the total. It is now subtracted.',
  },
  {
    file: 'src/discount.js',
    test: 'gives the discount at 50.00 and above',
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
if (left <= 0) console.log('Everything is fixed.\\n\\n<promise>DONE</promise>');
else if (left === 1) console.log('That should be everything.\\n\\n<promise>DONE</promise>');
else console.log('There is more to do.');
`;
