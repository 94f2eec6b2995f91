import type { Command } from '../command.ts';
import { command } from '../command.ts';
import { PLAIN_EXIT_CODES } from '../help-page.ts';
import { JSON_FLAG } from '../loop-flags.ts';
import { showRows } from '../loop-rows.ts';
import { noWords } from '../one-loop.ts';

export const list: Command = command({
  page: {
    name: 'list',
    synopsis: ['tireless list [--json]'],
    about: ['All loops, the newest last: open and ended, of every project.'],
    flags: { Options: JSON_FLAG },
    examples: ['tireless list', 'tireless list --json'],
    notes: PLAIN_EXIT_CODES,
  },
  flags: JSON_FLAG,
  run: async ({ words, values }, world) => {
    noWords(words, 'list');
    return showRows(world, {
      filter: { ended: 'both' },
      json: values.json,
      none: 'no loops yet; "tireless run" starts one',
    });
  },
});
