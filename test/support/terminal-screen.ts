import { spawnSync } from 'node:child_process';
import xterm from '@xterm/headless';

export type ScreenSize = { readonly columns: number; readonly rows: number };

/** The line between what has scrolled away and what a person sees at the end. */
const EDGE = '┄';

/** The reason why no program can be run in a terminal here, or `null`. */
export function noPseudoTerminal(): string | null {
  if (process.platform !== 'linux') return 'other systems have another "script"';
  return spawnSync('script', ['--version']).status === 0 ? null : 'there is no "script" (Debian: bsdutils)';
}

/** A shell line that runs a command in its own terminal and prints its output there; its exit code is that of the command. */
export function inTerminal(command: string, { columns, rows }: ScreenSize): string {
  const inside = `stty cols ${columns} rows ${rows}; ${command}`;
  return `TERM=xterm-256color script -qfec '${inside.replaceAll("'", String.raw`'\''`)}' /dev/null`;
}

export type Screen = {
  /** What is visible, and above it what has scrolled away. */
  readonly text: string;
  /** Rows that the terminal itself began, because a line was wider than the screen. */
  readonly brokenRows: readonly string[];
};

/** What a terminal of that size shows after a program has written this. */
export async function screenAfter(output: string, { columns, rows }: ScreenSize): Promise<Screen> {
  const terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 10_000, allowProposedApi: true });
  await new Promise<void>((resolve) => {
    terminal.write(output, resolve);
  });
  const { active } = terminal.buffer;
  const { baseY } = active;
  const lines = Array.from({ length: active.length }, (_, row) => active.getLine(row));
  const texts = lines.map((line) => line?.translateToString(true) ?? '');
  const brokenRows = texts.filter((_, row) => lines[row]?.isWrapped === true);
  terminal.dispose();
  const above = texts.slice(0, baseY);
  const seen = [...above, ...(above.length > 0 ? [EDGE.repeat(columns)] : []), ...texts.slice(baseY)];
  return { text: seen.join('\n').trimEnd(), brokenRows };
}
