// @ts-check
// Saves its stdin and its environment, byte for byte, in the files named by its arguments; then claims.
import { writeFileSync } from 'node:fs';
import { argv, env, stdin } from 'node:process';

const [promptFile = '', environmentFile = ''] = argv.slice(2);
const chunks = [];
for await (const chunk of stdin) chunks.push(chunk);
writeFileSync(promptFile, Buffer.concat(chunks));
const ours = Object.entries(env).filter(([name]) => name.startsWith('TIRELESS_'));
writeFileSync(environmentFile, JSON.stringify(Object.fromEntries(ours)));
console.log('<promise>DONE</promise>');
