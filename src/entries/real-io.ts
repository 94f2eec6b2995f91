import type { Input, Io, Output } from '../cli/io.ts';
import { Fault } from '../core/fault.ts';
import { ignoringErrno } from '../system/errno.ts';

/** When the terminal does not say, or says 0. */
const COLUMNS_UNKNOWN = 80;

/** What a reader has not taken is held in memory; an agent can print more than that. */
const UNREAD_BYTES_MAX = 4 * 1024 * 1024;

/** The streams of this process. `orIn`: for who need not stand anywhere, when the directory it was started in was removed. */
export function realIo(orIn?: string): Io {
  return {
    stdout: outputTo(process.stdout),
    stderr: outputTo(process.stderr),
    stdin: inputFrom(process.stdin),
    env: process.env,
    cwd: currentDirectory() ?? orIn ?? nowhere(),
  };
}

function outputTo(stream: NodeJS.WriteStream): Output {
  return {
    isTTY: stream.isTTY,
    columns: () => (stream.columns > 0 ? stream.columns : COLUMNS_UNKNOWN),
    write: (text) => void stream.write(text),
    isBehind: () => stream.writableLength > UNREAD_BYTES_MAX,
  };
}

function inputFrom(stream: NodeJS.ReadStream): Input {
  return {
    isTTY: stream.isTTY,
    chunks: async function* () {
      for await (const chunk of stream) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    },
  };
}

function currentDirectory(): string | undefined {
  return ignoringErrno(() => process.cwd());
}

function nowhere(): never {
  throw new Fault(
    'PROJECT_MISSING',
    'The directory that you are in was removed. Change to another one, and run the same command again.',
  );
}
