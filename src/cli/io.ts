import { helpLines } from '../terminal/help-lines.ts';
import { screenRows } from '../terminal/screen-rows.ts';
import { printable } from '../views/printable.ts';

/** Where a command reads and writes. Real streams in the entry, arrays in tests. */
export type Output = {
  readonly isTTY: boolean;
  readonly columns: () => number;
  readonly write: (text: string) => void;
  /** The reader is so far behind that output it does not need should be left out. */
  readonly isBehind?: () => boolean;
};

export type Input = { readonly isTTY: boolean; readonly chunks: () => AsyncIterable<Uint8Array> };

export type Io = {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly stdin: Input;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
};

/** All of the input; `undefined` = it is longer than `bytesMax`. */
export async function readInput(stdin: Input, bytesMax: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of stdin.chunks()) {
    bytes += chunk.length;
    if (bytes > bytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Lines for people. Nothing in them can control the terminal. */
export function say(output: Output, ...lines: readonly string[]): void {
  if (lines.length > 0) output.write(rowsFor(output, lines.join('\n')));
}

/**
 * Text for people, with a final line break: wrapped between words on a terminal, which would break it anywhere. Elsewhere lines stay whole,
 * because readers of a file or a pipe wrap them as they like.
 */
export function rowsFor(output: Pick<Output, 'isTTY' | 'columns'>, text: string): string {
  const safe = printable(text);
  return `${output.isTTY ? screenRows(safe, output.columns()).join('\n') : safe}\n`;
}

/** For scripts: one value, one line. JSON itself escapes control characters. */
export function sayJson(output: Output, value: unknown): void {
  output.write(`${JSON.stringify(value)}\n`);
}

/** A page of help. In a pipe it is laid out for the terminal behind it, where a pager shows it; without one, its lines stay as written. */
export function sayHelp({ stdout, stderr }: Pick<Io, 'stdout' | 'stderr'>, lines: readonly string[]): void {
  const terminal = [stdout, stderr].find(({ isTTY }) => isTTY);
  say(stdout, ...(terminal === undefined ? lines : helpLines(lines, terminal.columns())));
}
