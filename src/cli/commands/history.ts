import type { Command } from '../command.ts';
import { command } from '../command.ts';
import { PLAIN_EXIT_CODES } from '../help-page.ts';
import { SELECT_FLAGS, selectionOf } from '../list-flags.ts';
import { printLoops } from '../print-loops.ts';

export const history: Command = command({
  page: {
    name: 'history',
    synopsis: ['tireless history [--project [DIR]] [--since WHEN] [--limit N] [--json]'],
    about: ['Loops that have ended, newest last. They are kept until you remove them with "tireless prune".'],
    flags: { Options: SELECT_FLAGS },
    examples: ['tireless history', 'tireless history --project --since 7d'],
    notes: PLAIN_EXIT_CODES,
  },
  flags: SELECT_FLAGS,
  run: async ({ words, values }, world) =>
    printLoops(world, {
      filter: { ended: true },
      selection: selectionOf(words, values, 'history'),
      json: values.json,
      none: 'no loop has ended yet',
    }),
});
