import { printable } from '../views/printable.ts';
import type { Display, Progress, Screen } from './display.ts';
import type { Line } from './narrate.ts';
import { narration } from './narrate.ts';
import { foldLine } from './fold-line.ts';

export type PlainOptions = {
  /** The lines that stay on the screen. */
  readonly narrate?: (progress: Progress) => readonly Line[];
  /** The width at which lines are broken between words; absent = one line per step, however long. */
  readonly columns?: number;
};

/** Not a terminal: plain lines, and nothing that has to be redrawn. */
export function plainLines(screen: Pick<Screen, 'write'>, options: PlainOptions = {}): Display {
  const { narrate = narration(), columns = Infinity } = options;
  return {
    show: (progress) => {
      for (const { text, hang } of narrate(progress))
        for (const row of foldLine(printable(text), columns, hang)) screen.write(`${row}\n`);
    },
    close: () => undefined,
  };
}
