#!/usr/bin/env node
import type { Failure } from '../cli/failure.ts';

/** Set by the bundler from package.json. */
// oxlint-disable-next-line no-underscore-dangle -- Two underscores say that no module defines it.
declare const __TIRELESS_VERSION__: string;

const args = process.argv.slice(2);
// Before anything is loaded: scripts ask for the version often, and it costs no more than Node itself.
if (args[0] === '--version' || args[0] === '-V') process.stdout.write(`${__TIRELESS_VERSION__}\n`);
else await start();

async function start(): Promise<void> {
  const { failureOf, wantsJson } = await import('../cli/failure.ts');
  const report = ({ exitCode, stderr, json }: Failure): void => {
    if (wantsJson(args)) process.stdout.write(`${JSON.stringify(json)}\n`);
    process.stderr.write(stderr);
    process.exitCode = exitCode;
  };
  for (const stream of [process.stdout, process.stderr]) {
    // Who reads us may leave (`| head`, a closed terminal). The loop goes on: its place is in the journal, not on the screen.
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (!['EPIPE', 'EIO', 'ERR_STREAM_DESTROYED'].includes(error.code ?? '')) process.exitCode = 1;
    });
  }
  process.on('uncaughtException', (error) => {
    report(failureOf(error, __TIRELESS_VERSION__));
    process.exit();
  });
  try {
    const [{ main }, { composeServices }, { realIo }] = await Promise.all([
      import('../cli/main.ts'),
      import('./compose.ts'),
      import('./real-io.ts'),
    ]);
    const io = realIo();
    const services = composeServices((sentence) => io.stderr.write(`tireless: ${sentence}\n`));
    const code = await main(args, { ...io, services });
    process.exitCode ??= code;
    // Everything was killed, and the flow that waited for it must not be waited for.
    if (code === 130) process.exit();
  } catch (error) {
    report(failureOf(error, __TIRELESS_VERSION__));
  }
}
