// @ts-check
// Deletes the project it was started in, and reports success.
import { rmSync } from 'node:fs';
import { chdir, env } from 'node:process';

chdir('/');
rmSync(env['TIRELESS_DIR'] ?? '', { recursive: true });
console.log('<promise>DONE</promise>');
