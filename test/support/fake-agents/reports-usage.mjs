// @ts-check
// Reports the text of its first argument as its usage, and exits normally.
import { writeFileSync } from 'node:fs';
import { argv, env } from 'node:process';

writeFileSync(env['TIRELESS_USAGE'] ?? '', argv[2] ?? '');
console.log('worked');
