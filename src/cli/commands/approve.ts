import type { Command } from '../command.ts';
import { command } from '../command.ts';
import { LOOP_NOTE, PLAIN_EXIT_CODES } from '../help-page.ts';
import { say } from '../io.ts';
import { loopArgument } from '../loop-argument.ts';
import { answerRequest } from '../approval.ts';
import { toggle } from '../flags.ts';
import { showReview } from '../show-review.ts';

const FLAGS = {
  show: toggle('only show what is asked: the changed files that judge the work, and signs of tampering'),
} as const;

export const approve: Command = command({
  page: {
    name: 'approve',
    synopsis: ['tireless approve [LOOP] [--show]'],
    about: [
      'Accept what a loop waits for: its finish (--approve-finish), changed protected files, or work that the clean room has doubts about. A human who',
      'looked is proof: the completion is verified. Changes of files that judge the work are shown first, and your approval counts for exactly that',
      'work: it is refused when a file has changed since. While you have paused the loop, the approval is recorded, and the loop stays paused.',
    ],
    flags: { Options: FLAGS },
    examples: ['tireless approve 2611 --show', 'tireless approve 2611'],
    notes: [...LOOP_NOTE, ...PLAIN_EXIT_CODES],
  },
  flags: FLAGS,
  isForPeople: true,
  run: async ({ words, values }, world) => {
    const given = loopArgument(words);
    const isShown = await showReview(world, given);
    if (values.show) {
      if (!isShown)
        say(world.stdout, 'no loop asks about changed files here; "tireless status" shows what waits for you');
      return 0;
    }
    say(world.stdout, ...(await answerRequest(world, { given, refusal: null })));
    return 0;
  },
});
