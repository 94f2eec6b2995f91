import { isEnded } from '../../core/loop.ts';
import { isAgentIdle } from '../../core/session-activity.ts';
import type { Loaded } from '../../engine/ports.ts';
import type { Command } from '../command.ts';
import { command } from '../command.ts';
import { LOOP_NOTE, PLAIN_EXIT_CODES } from '../help-page.ts';
import { say } from '../io.ts';
import { loopArgument } from '../loop-argument.ts';
import { pauseWaitingFile } from '../../setup/waiting-files.ts';
import { oneLine, PATH_CHARS_MAX } from '../../views/printable.ts';
import { postOrRefuse } from '../post-event.ts';
import { unwrittenLines, waitingFileMeant } from '../waiting-files.ts';

export const pause: Command = command({
  page: {
    name: 'pause',
    synopsis: ['tireless pause [LOOP | FILE]'],
    about: [
      'Stop the agent until you resume the loop. The interrupted iteration runs again under the same number after "tireless resume".',
      'In a session, the agent works until it stops; its screen then shows that the loop is paused.',
      'FILE: an active state file of this project whose loop has not begun; the session that stops first gets it, paused.',
    ],
    flags: {},
    examples: ['tireless pause', 'tireless pause 2611'],
    notes: [...LOOP_NOTE, ...PLAIN_EXIT_CODES],
  },
  flags: {},
  isForPeople: true,
  run: async ({ words }, world) => {
    const given = loopArgument(words);
    const waiting = await waitingFileMeant(given, world);
    if (waiting !== undefined) {
      const { state: early } = await pauseWaitingFile(waiting, world.services);
      const file = oneLine(waiting.place.file, PATH_CHARS_MAX);
      say(
        world.stdout,
        `paused loop ${early.loop} in ${file}, before its first stop; resume with: tireless resume ${early.loop}`,
      );
      return 0;
    }
    const open = (await world.services.store()).list({ ended: false });
    const loaded = await postOrRefuse(world, {
      given,
      kind: 'running',
      // If no loop is running, the refusal explains what the paused one waits for.
      fits: open.some(isRunning) ? isRunning : (found) => !isEnded(found.state),
      event: () => ({ kind: 'pause-requested' }),
    });
    const { loop } = loaded.state;
    const unwritten = await unwrittenLines(loaded, world);
    say(
      world.stdout,
      `paused loop ${loop}; resume with: tireless resume ${loop}`,
      ...(worksOn(loaded) ? ['the agent works until it next stops, and is not sent back then'] : []),
      ...unwritten,
    );
    return 0;
  },
});

/** Only its host can end the turn of an agent in a session. */
function worksOn({ spec, state }: Loaded): boolean {
  if (spec.driver !== 'session') return false;
  return spec.dialect === undefined ? !isAgentIdle(state) : state.resting === undefined;
}

function isRunning({ state: { status } }: Loaded): boolean {
  return status === 'running' || status === 'pending';
}
