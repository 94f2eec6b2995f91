import path from 'node:path';
import { Fault } from '../../core/fault.ts';
import { PRD } from '../../dialects/names.ts';
import type { Loaded } from '../../engine/ports.ts';
import { ensureDir, readTextIfExists, writeFileAtomic } from '../../system/files.ts';
import type { Command } from '../command.ts';
import { command } from '../command.ts';
import { text } from '../flags.ts';
import { LOOP_NOTE, PLAIN_EXIT_CODES } from '../help-page.ts';
import { say } from '../io.ts';
import { loopArgument } from '../loop-argument.ts';
import { FORMATS, parseFormat } from '../parse-dialect.ts';
import { pickLoop } from '../pick-loop.ts';
import { shownLoops } from '../shown-loops.ts';

const FLAGS = {
  dialect: text('NAME', `the format: ${FORMATS.join(', ')}`),
  output: text(
    'FILE',
    'write it there instead of to stdout; an existing file is not replaced, but its stories are ticked (prd)',
  ),
} as const;

export const exportLoop: Command = command({
  page: {
    name: 'export',
    synopsis: ['tireless export [LOOP] --dialect NAME [--output FILE]'],
    about: [
      'Print a loop as the state file of another tool: goal, claim, criteria, maximum and counter. What that tool cannot express, such as',
      'checks, is left out. The loop itself is not changed.',
    ],
    flags: { Options: FLAGS },
    examples: ['tireless export 2611 --dialect ralph-loop --output .claude/ralph-loop.local.md'],
    notes: [...LOOP_NOTE, ...PLAIN_EXIT_CODES],
  },
  flags: FLAGS,
  run: async ({ words, values: flags }, world) => {
    if (flags.dialect === undefined)
      throw new Fault('USAGE', `No format was named. Add --dialect, with one of ${FORMATS.join(', ')}.`);
    const name = parseFormat(flags.dialect);
    const store = await world.services.store();
    const found = pickLoop(store, { given: loopArgument(words), cwd: world.cwd, kind: 'any', fits: () => true });
    const [loaded = found] = await shownLoops([found], world);
    const content =
      name === PRD
        ? (await import('../../dialects/prd.ts')).prdOfLoop(loaded)
        : (await world.services.dialect(name)).newText(loaded);
    if (flags.output === undefined) {
      world.stdout.write(content);
      return 0;
    }
    const file = path.resolve(world.cwd, flags.output);
    const there = readTextIfExists(file);
    const ticked = there !== undefined && name === PRD ? await tickedList(there, loaded) : undefined;
    if (ticked !== undefined) {
      if (ticked.text !== there) writeFileAtomic(file, ticked.text, { durable: true });
      say(world.stdout, `ticked ${flags.output}: ${ticked.passing} of ${ticked.stories} stories pass`);
      return 0;
    }
    if (there !== undefined)
      throw new Fault('USAGE', `Cannot write ${flags.output}: it already exists. Move it away, or name another file.`);
    ensureDir(path.dirname(file));
    writeFileAtomic(file, content, { durable: true });
    say(world.stdout, `wrote loop ${loaded.state.loop} to ${flags.output} (${name})`);
    return 0;
  },
});

/** The list that the loop came from, with its ticks; nothing else in it changes. `undefined` = the list does not match this loop's criteria. */
async function tickedList(
  list: string,
  loaded: Loaded,
): Promise<{ readonly text: string; readonly passing: number; readonly stories: number } | undefined> {
  const { readPrd, tickPrd } = await import('../../dialects/prd.ts');
  const { criteria } = loaded.spec;
  const found = readPrd(list);
  if (found.kind === 'invalid' || criteria.length === 0) return undefined;
  const names = found.criteria.map((criterion) => criterion.text);
  if (!criteria.every((criterion) => names.includes(criterion.text))) return undefined;
  const met = loaded.state.status === 'completed' ? criteria.map(({ text: name }) => name) : loaded.state.criteriaMet;
  const after = tickPrd(list, met);
  const now = readPrd(after);
  return { text: after, passing: now.kind === 'prd' ? now.criteriaMet.length : 0, stories: names.length };
}
