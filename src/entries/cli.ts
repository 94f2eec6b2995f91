#!/usr/bin/env node

/** Set by the bundler from package.json. */
// oxlint-disable-next-line no-underscore-dangle -- Two underscores say that no module defines it.
declare const __TIRELESS_VERSION__: string;

const args = process.argv.slice(2);
// Before anything is loaded: scripts ask for the version often, and it takes no longer than starting Node.
if (args.length === 1 && ['--version', '-v', '-V', 'version'].includes(args[0] ?? ''))
  process.stdout.write(`${__TIRELESS_VERSION__}\n`);
else await (await import('./command-line.ts')).start(args, __TIRELESS_VERSION__);
