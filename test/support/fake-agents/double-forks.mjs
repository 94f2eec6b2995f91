// @ts-check
// Starts a grandchild in its own session whose parent is gone, with its pid in the file named by the first argument. With `stays` as the
// second argument it keeps working itself, otherwise it exits normally and leaves the grandchild behind.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { argv, execPath } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';

const [pidFile = '', mode] = argv.slice(2);
const grandchild =
  "require('node:fs').writeFileSync(process.argv[1], String(process.pid)); setInterval(() => undefined, 60_000)";
const child = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(grandchild)}, process.argv[1]], { detached: true, stdio: 'ignore' }).unref()`;
spawn(execPath, ['-e', child, pidFile], { detached: true, stdio: 'ignore' }).unref();
while (!existsSync(pidFile)) await pause(10);
console.log('forked');
if (mode === 'stays') setInterval(() => undefined, 60_000);
