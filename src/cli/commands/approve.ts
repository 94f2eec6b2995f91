import type { Command } from '../command.ts';
import { command } from '../command.ts';
import { LOOP_NOTE, PLAIN_EXIT_CODES } from '../help-page.ts';
import { say } from '../io.ts';
import { loopArgument } from '../loop-argument.ts';
import { answerRequest } from '../approval.ts';
import { toggle } from '../flags.ts';
import { showReview } from '../show-review.ts';

const FLAGS = {
  show: toggle('only show what you are asked about: changed files that judge the work, and signs of tampering'),
} as const;

export const approve: Command = command({
  page: {
    name: 'approve',
    synopsis: ['tireless approve [LOOP] [--show]'],
    about: [
      'Approve what a loop waits for: its finish (--approve-finish), changed protected files, or work that the clean room doubts. A human review is',
      'proof: the completion is verified. Changes to files that judge the work are shown first, and your approval covers exactly that',
      'work: it is refused if a file has changed since. If you paused the loop, the approval is recorded and the loop stays paused.',
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
        say(
          world.stdout,
          'no loop in this project asks about changed files; "tireless status" shows what waits for you',
        );
      return 0;
    }
    say(world.stdout, ...(await answerRequest(world, { given, refusal: null })));
    return 0;
  },
});
