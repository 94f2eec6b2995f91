// @ts-check
// Writes its pid, prints a line, and then works forever; it ignores requests to end.
import { writeFileSync } from 'node:fs';
import { argv, pid } from 'node:process';

process.on('SIGTERM', () => undefined);
writeFileSync(argv[2] ?? '', String(pid));
console.log('at work');
setInterval(() => undefined, 60_000);
