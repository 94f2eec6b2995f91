import type { Command } from '../command.ts';
import { command } from '../command.ts';
import { PLAIN_EXIT_CODES } from '../help-page.ts';
import { SELECT_FLAGS, selectionOf, STATUS_FLAG } from '../list-flags.ts';
import { printLoops } from '../print-loops.ts';

const FLAGS = { ...STATUS_FLAG, ...SELECT_FLAGS } as const;

export const list: Command = command({
  page: {
    name: 'list',
    synopsis: ['tireless list [--project [DIR]] [--status STATUS]… [--since WHEN] [--limit N] [--json]'],
    about: [
      'All loops, newest last: open and ended, of every project. AGE is the time since a loop last changed. The table fits your',
      'terminal: long goals are cut, and a narrow terminal leaves out iterations and usage. --json has everything.',
    ],
    flags: { Options: FLAGS },
    examples: [
      'tireless list',
      'tireless list --project --status open',
      'tireless list --project ~/src/shop --since 7d',
      'tireless list --limit 10 --json',
    ],
    notes: ['"tireless prune" removes loops that ended long ago.', ...PLAIN_EXIT_CODES],
  },
  flags: FLAGS,
  run: async ({ words, values }, world) =>
    printLoops(world, {
      filter: { ended: 'both' },
      selection: selectionOf(words, values, 'list'),
      json: values.json,
      none: 'no loops to show; "tireless run" starts one',
    }),
});
