import { isEnded } from '../../core/loop.ts';
import type { Command } from '../command.ts';
import { command } from '../command.ts';
import { LOOP_NOTE, PLAIN_EXIT_CODES } from '../help-page.ts';
import { say } from '../io.ts';
import { loopArgument } from '../loop-argument.ts';
import { postOrRefuse } from '../post-event.ts';

export const cancel: Command = command({
  page: {
    name: 'cancel',
    synopsis: ['tireless cancel [LOOP]'],
    about: [
      'End a loop for good. A running agent is stopped; the files of the project and the journal of the loop stay.',
    ],
    flags: {},
    examples: ['tireless cancel 2611'],
    notes: [...LOOP_NOTE, ...PLAIN_EXIT_CODES],
  },
  flags: {},
  run: async ({ words }, world) => {
    const { state } = await postOrRefuse(world, {
      given: loopArgument(words),
      kind: 'open',
      fits: (found) => !isEnded(found.state),
      event: () => ({ kind: 'cancel-requested' }),
    });
    say(world.stdout, `cancelled loop ${state.loop}`);
    return 0;
  },
});
