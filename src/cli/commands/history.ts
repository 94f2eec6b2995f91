import type { Command } from '../command.ts';
import { command } from '../command.ts';
import { PLAIN_EXIT_CODES } from '../help-page.ts';
import { JSON_FLAG } from '../loop-flags.ts';
import { printLoops } from '../print-loops.ts';
import { requireNoWords } from '../loop-argument.ts';

export const history: Command = command({
  page: {
    name: 'history',
    synopsis: ['tireless history [--json]'],
    about: ['Loops that have ended, the newest last. They are kept, never deleted.'],
    flags: { Options: JSON_FLAG },
    examples: ['tireless history'],
    notes: PLAIN_EXIT_CODES,
  },
  flags: JSON_FLAG,
  run: async ({ words, values }, world) => {
    requireNoWords(words, 'history');
    return printLoops(world, { filter: { ended: true }, json: values.json, none: 'no loop has ended yet' });
  },
});
