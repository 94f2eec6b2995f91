import { explainEntries, paragraphText } from '../../views/explain.ts';
import { viewOf } from '../../views/loop-view.ts';
import { outcomeSentence } from '../../views/sentences.ts';
import type { Command } from '../command.ts';
import { command } from '../command.ts';
import { toggle } from '../flags.ts';
import { LOOP_NOTE, PLAIN_EXIT_CODES } from '../help-page.ts';
import { say, sayJson } from '../io.ts';
import { loopArgument } from '../loop-argument.ts';
import { pickLoop } from '../pick-loop.ts';

const FLAGS = { json: toggle('print {"loop":…,"decisions":[…]} for scripts') } as const;

export const explain: Command = command({
  page: {
    name: 'explain',
    synopsis: ['tireless explain [LOOP] [--json]'],
    about: [
      'Tell why each decision of a loop fell: what happened, what each check answered, whether the agent claimed to be done, where the',
      'limits stood, and what was decided. Read from the journal alone.',
    ],
    flags: { Options: FLAGS },
    examples: ['tireless explain', 'tireless explain 2611'],
    notes: [...LOOP_NOTE, ...PLAIN_EXIT_CODES],
  },
  flags: FLAGS,
  run: async ({ words, values }, world) => {
    const store = await world.services.store();
    const loaded = pickLoop(store, { given: loopArgument(words), cwd: world.cwd, kind: 'known', fits: () => true });
    const paragraphs = explainEntries(store.entries(loaded.state.loop));
    if (values.json) sayJson(world.stdout, { loop: viewOf(loaded), decisions: paragraphs });
    else
      say(
        world.stdout,
        ...paragraphs.flatMap((paragraph) => [...paragraphText(paragraph), '']),
        `loop ${loaded.state.loop} is ${outcomeSentence(loaded.state)}`,
      );
    return 0;
  },
});
