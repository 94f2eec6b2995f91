import { isEnded } from '../../core/loop.ts';
import type { Command } from '../command.ts';
import { command } from '../command.ts';
import { LOOP_NOTE, PLAIN_EXIT_CODES } from '../help-page.ts';
import { say } from '../io.ts';
import { loopArgument } from '../loop-argument.ts';
import { postOrRefuse } from '../post-event.ts';

export const pause: Command = command({
  page: {
    name: 'pause',
    synopsis: ['tireless pause [LOOP]'],
    about: [
      'Stop the agent and keep the place. The iteration that was going on runs again under its own number after "tireless resume".',
    ],
    flags: {},
    examples: ['tireless pause', 'tireless pause 2611'],
    notes: [...LOOP_NOTE, ...PLAIN_EXIT_CODES],
  },
  flags: {},
  run: async ({ words }, world) => {
    const { state } = await postOrRefuse(world, {
      given: loopArgument(words),
      kind: 'running',
      fits: (found) => !isEnded(found.state) && found.state.status !== 'paused',
      event: () => ({ kind: 'pause-requested' }),
    });
    say(world.stdout, `paused loop ${state.loop}; resume with: tireless resume ${state.loop}`);
    return 0;
  },
});
