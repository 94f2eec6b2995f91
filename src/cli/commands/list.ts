import type { Command } from '../command.ts';
import { command } from '../command.ts';
import { PLAIN_EXIT_CODES } from '../help-page.ts';
import { JSON_FLAG } from '../loop-flags.ts';
import { printLoops } from '../print-loops.ts';
import { requireNoWords } from '../loop-argument.ts';

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
    requireNoWords(words, 'list');
    return printLoops(world, {
      filter: { ended: 'both' },
      json: values.json,
      none: 'no loops yet; "tireless run" starts one',
    });
  },
});
