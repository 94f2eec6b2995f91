import type { Command } from '../command.ts';
import { command } from '../command.ts';
import { LOOP_NOTE, PLAIN_EXIT_CODES } from '../help-page.ts';
import { say } from '../io.ts';
import { loopArgument } from '../loop-argument.ts';
import { postOrRefuse } from '../post-event.ts';
import { linesAfterAnswer, approvalRequestOf } from '../approval.ts';

export const approve: Command = command({
  page: {
    name: 'approve',
    synopsis: ['tireless approve [LOOP]'],
    about: [
      'Accept what a loop waits for: its finish (--approve-finish), or changed protected files. A human who looked is proof: the completion is',
      'verified.',
    ],
    flags: {},
    examples: ['tireless approve 2611'],
    notes: [...LOOP_NOTE, ...PLAIN_EXIT_CODES],
  },
  flags: {},
  run: async ({ words }, world) => {
    const loaded = await postOrRefuse(world, {
      given: loopArgument(words),
      kind: 'waiting',
      fits: ({ state }) => state.pause?.request !== undefined,
      event: (found) => ({ kind: 'approval-given', request: approvalRequestOf(found) }),
    });
    say(world.stdout, ...linesAfterAnswer(loaded));
    return 0;
  },
});
