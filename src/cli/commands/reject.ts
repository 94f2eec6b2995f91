import { Fault } from '../../core/fault.ts';
import { answerRequest } from '../approval.ts';
import type { Command } from '../command.ts';
import { command } from '../command.ts';
import { PLAIN_EXIT_CODES } from '../help-page.ts';
import { say } from '../io.ts';
import { textAfterLoop } from '../text-after-loop.ts';

export const reject: Command = command({
  page: {
    name: 'reject',
    synopsis: ['tireless reject [LOOP] REASON'],
    about: ['Reject what a loop waits for, and say what is missing: the reason goes into the next prompt.'],
    flags: {},
    examples: ['tireless reject 2611 "put test/login.test.ts back as it was"'],
    notes: ["Without LOOP: this project's newest waiting loop.", ...PLAIN_EXIT_CODES],
  },
  flags: {},
  isForPeople: true,
  run: async ({ words }, world) => {
    const { given, text } = await textAfterLoop(words, world);
    if (text.trim() === '')
      throw new Fault('USAGE', 'The reason is empty. Say what is missing: tireless reject LOOP "…".');
    say(world.stdout, ...(await answerRequest(world, { given, refusal: text })));
    return 0;
  },
});
