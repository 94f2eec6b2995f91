import { explainEntries, paragraphText } from '../../views/explain.ts';
import { entriesWithoutHoldouts, withoutHoldouts } from '../../views/hide-holdouts.ts';
import { viewOf } from '../../views/loop-view.ts';
import { standstillOf } from '../../views/standstill.ts';
import { stateSentence } from '../../views/sentences.ts';
import type { Command } from '../command.ts';
import { command } from '../command.ts';
import { toggle } from '../flags.ts';
import { LOOP_NOTE, PLAIN_EXIT_CODES } from '../help-page.ts';
import { say, sayJson } from '../io.ts';
import { loopArgument } from '../loop-argument.ts';
import { pickLoop } from '../pick-loop.ts';
import { seenOf } from '../seen-session.ts';
import { mustHideHoldouts } from '../shown-loops.ts';

const FLAGS = { json: toggle('print {"loop":…,"decisions":[…]} for scripts') } as const;

export const explain: Command = command({
  page: {
    name: 'explain',
    synopsis: ['tireless explain [LOOP] [--json]'],
    about: [
      'Show why each decision of a loop was made: what happened, the result of each check, whether the agent claimed to be done, where the',
      'limits stood, and what was decided. Read from the journal alone.',
    ],
    flags: { Options: FLAGS },
    examples: ['tireless explain', 'tireless explain 2611'],
    notes: [...LOOP_NOTE, ...PLAIN_EXIT_CODES],
  },
  flags: FLAGS,
  run: async ({ words, values }, world) => {
    const store = await world.services.store();
    const found = pickLoop(store, { given: loopArgument(words), cwd: world.cwd, kind: 'any', fits: () => true });
    const isHidden = await mustHideHoldouts([found], world);
    const loaded = isHidden ? withoutHoldouts(found) : found;
    const entries = store.entries(loaded.state.loop);
    const paragraphs = explainEntries(isHidden ? entriesWithoutHoldouts(entries) : entries);
    const seen = await seenOf(loaded, world);
    const still = standstillOf(loaded.state, seen);
    if (values.json) sayJson(world.stdout, { loop: viewOf(loaded, seen), decisions: paragraphs });
    else
      say(
        world.stdout,
        ...paragraphs.flatMap((paragraph) => [...paragraphText(paragraph), '']),
        still === null
          ? `loop ${loaded.state.loop} ${stateSentence(loaded)}`
          : `loop ${loaded.state.loop} is stalled: ${still.reason}`,
      );
    return 0;
  },
});
