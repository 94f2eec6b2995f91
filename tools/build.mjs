// @ts-check
// The bundler's own command line prints a table of every chunk; someone who types `npm start` came for something else.
import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';
import configs from '../rolldown.config.mjs';

for (const { output, ...input } of configs) {
  const build = await rolldown(input);
  await build.write(Array.isArray(output) ? output[0] : output);
  await build.close();
}

// npm sets this bit when it links a package, but every build replaces the file.
chmodSync(path.join(import.meta.dirname, '../dist/cli.js'), 0o755);

// The page for `man` is the help, as the program itself prints it.
const dist = path.join(import.meta.dirname, '../dist');
writeFileSync(
  path.join(dist, 'tireless.1'),
  execFileSync(process.execPath, [path.join(dist, 'cli.js'), 'help', '--man']),
);
