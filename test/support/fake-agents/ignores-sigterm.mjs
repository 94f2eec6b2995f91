// @ts-check
// Writes its pid, prints a line, and then works for ever; asked to end, it does not.
import { writeFileSync } from 'node:fs';
import { argv, pid } from 'node:process';

process.on('SIGTERM', () => undefined);
writeFileSync(argv[2] ?? '', String(pid));
console.log('at work');
setInterval(() => undefined, 60_000);
