#!/usr/bin/env node

/** Set by the bundler from package.json. */
// oxlint-disable-next-line no-underscore-dangle -- Two underscores mean that no module defines it.
declare const __TIRELESS_VERSION__: string;

const args = process.argv.slice(2);
const isJson = args.length === 2 && args[1] === '--json';
// Before anything is loaded: scripts query the version often, and this takes no longer than starting Node.
if ((args.length === 1 || isJson) && ['--version', '-v', '-V', 'version'].includes(args[0] ?? ''))
  process.stdout.write(isJson ? `${JSON.stringify({ version: __TIRELESS_VERSION__ })}\n` : `${__TIRELESS_VERSION__}\n`);
else await (await import('./command-line.ts')).start(args, __TIRELESS_VERSION__);
