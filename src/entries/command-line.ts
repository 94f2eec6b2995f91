import type { Failure } from '../cli/failure.ts';
import { failureOf, wantsJson } from '../cli/failure.ts';
import { main } from '../cli/main.ts';
import { composeServices } from './compose.ts';
import { realIo } from './real-io.ts';

/** The command line on real streams: the one place where a fault becomes a message and an exit code. */
export async function start(args: readonly string[], version: string): Promise<void> {
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
    report(failureOf(error, version));
    process.exit();
  });
  try {
    const io = realIo();
    const services = composeServices((sentence) => io.stderr.write(`tireless: ${sentence}\n`));
    const code = await main(args, { ...io, services });
    process.exitCode ??= code;
    // Everything was killed, and the flow that waited for it must not be waited for.
    if (code === 130) process.exit();
  } catch (error) {
    report(failureOf(error, version));
  }
}
