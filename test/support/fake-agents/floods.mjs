// @ts-check
// Prints as many megabytes as the first argument requests, and then claims.
import { once } from 'node:events';
import { argv, stdout } from 'node:process';

const megabyte = `${'x'.repeat(1023)}\n`.repeat(1024);
for (let count = Number(argv[2]); count > 0; count -= 1) if (!stdout.write(megabyte)) await once(stdout, 'drain');
stdout.write('\n<promise>DONE</promise>\n');
