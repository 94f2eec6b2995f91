import path from 'node:path';
import { Fault } from '../../core/fault.ts';
import { DIALECT_NAMES, PRD } from '../../dialects/names.ts';
import { ensureDir, readTextIfExists, writeFileAtomic } from '../../system/files.ts';
import { oneLine } from '../../views/printable.ts';
import type { Command } from '../command.ts';
import { command } from '../command.ts';
import { text } from '../flags.ts';
import { LOOP_NOTE, PLAIN_EXIT_CODES } from '../help-page.ts';
import { say } from '../io.ts';
import { oneLoopWord } from '../one-loop.ts';
import { pickLoop } from '../pick-loop.ts';

const NAMES = [...DIALECT_NAMES, PRD] as const;
const FLAGS = {
  dialect: text('NAME', `whose format: ${NAMES.join(', ')}`),
  output: text('FILE', 'write it there instead of to stdout; an existing file is not replaced'),
} as const;

export const exportLoop: Command = command({
  page: {
    name: 'export',
    synopsis: ['tireless export [LOOP] --dialect NAME [--output FILE]'],
    about: [
      'Print a loop as the state file of another tool: goal, claim, criteria, maximum and counter. What that tool has no word for, such as',
      'checks, is left out. The loop itself is not changed.',
    ],
    flags: { Options: FLAGS },
    examples: ['tireless export 2611 --dialect ralph-loop --output .claude/ralph-loop.local.md'],
    notes: [...LOOP_NOTE, ...PLAIN_EXIT_CODES],
  },
  flags: FLAGS,
  run: async ({ words, values: flags }, world) => {
    const name = NAMES.find((each) => each === flags.dialect);
    if (name === undefined)
      throw new Fault(
        'USAGE',
        flags.dialect === undefined
          ? `No format was named. Add --dialect, with one of ${NAMES.join(', ')}.`
          : `There is no dialect "${oneLine(flags.dialect, 60)}". Use one of ${NAMES.join(', ')}.`,
      );
    const store = await world.services.store();
    const loaded = pickLoop(store, { given: oneLoopWord(words), cwd: world.cwd, kind: 'known', fits: () => true });
    const { newFileText } = await import('../../dialects/new-file.ts');
    const content = newFileText(name, loaded);
    if (flags.output === undefined) {
      world.stdout.write(content);
      return 0;
    }
    const file = path.resolve(world.cwd, flags.output);
    if (readTextIfExists(file) !== undefined)
      throw new Fault(
        'USAGE',
        `Cannot write ${flags.output}: there is such a file already. Move it away, or name another.`,
      );
    ensureDir(path.dirname(file));
    writeFileAtomic(file, content, { durable: true });
    say(world.stdout, `wrote loop ${loaded.state.loop} to ${flags.output} (${name})`);
    return 0;
  },
});
