import { printable } from '../views/printable.ts';
import type { Display, Screen } from './display.ts';
import type { ShownExcerpts } from './narrate.ts';
import { narrate } from './narrate.ts';

/** Not a terminal: one plain line per step, nothing that has to be drawn over. */
export function plainLines(screen: Pick<Screen, 'write'>): Display {
  const excerpts: ShownExcerpts = new Map();
  return {
    show: (progress) => {
      for (const { text } of narrate(progress, excerpts)) screen.write(`${printable(text)}\n`);
    },
    close: () => undefined,
  };
}
