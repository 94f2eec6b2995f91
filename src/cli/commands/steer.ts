import { Fault } from '../../core/fault.ts';
import { isEnded } from '../../core/loop.ts';
import type { Command } from '../command.ts';
import { command } from '../command.ts';
import { PLAIN_EXIT_CODES } from '../help-page.ts';
import { say } from '../io.ts';
import { oneLine } from '../../views/printable.ts';
import { resumeCommand } from '../../views/session-actions.ts';
import { textAfterLoop } from '../text-after-loop.ts';
import { postOrRefuse } from '../post-event.ts';

const SHOWN_CHARS_MAX = 200;

export const steer: Command = command({
  page: {
    name: 'steer',
    synopsis: ['tireless steer [LOOP] TEXT', 'tireless steer [LOOP] - < FILE'],
    about: [
      'Put a message into the next prompt of a loop, while it runs or while it is paused. The message is kept until a prompt delivers it: in a',
      'session, your own next message does too.',
    ],
    flags: {},
    examples: [
      'tireless steer "do not touch the public API"',
      'tireless steer 2611 "use the parser of src/old instead"',
    ],
    notes: [
      'Without LOOP: this project\'s newest open loop. Put text that begins with a dash after "--".',
      ...PLAIN_EXIT_CODES,
    ],
  },
  flags: {},
  isForPeople: true,
  run: async ({ words }, world) => {
    const { given, text } = await textAfterLoop(words, world);
    if (text.trim() === '')
      throw new Fault('USAGE', 'The message is empty. Write what the agent should know: tireless steer LOOP "…".');
    const { spec, state } = await postOrRefuse(world, {
      given,
      kind: 'open',
      fits: (found) => !isEnded(found.state),
      event: () => ({ kind: 'steering-given', text }),
    });
    const isInSession = spec.driver === 'session' && spec.dialect === undefined;
    say(
      world.stdout,
      `added to the next prompt of loop ${state.loop}: "${oneLine(text, SHOWN_CHARS_MAX)}"`,
      ...(isInSession ? ['the agent gets it with your next message in its session, or when it stops'] : []),
      ...(state.status === 'paused' ? [`continue: ${resumeCommand(state.loop, null)}`] : []),
    );
    return 0;
  },
});
