import { isEnded } from '../../core/loop.ts';
import type { Command } from '../command.ts';
import { command } from '../command.ts';
import { LOOP_NOTE, PLAIN_EXIT_CODES } from '../help-page.ts';
import { say } from '../io.ts';
import { loopArgument } from '../loop-argument.ts';
import { oneLine, PATH_CHARS_MAX } from '../../views/printable.ts';
import { stateSentence } from '../../views/sentences.ts';
import { postOrRefuse } from '../post-event.ts';
import { cancelWaitingFile } from '../../setup/waiting-files.ts';
import { unwrittenLines, waitingFileMeant } from '../waiting-files.ts';

export const cancel: Command = command({
  page: {
    name: 'cancel',
    synopsis: ['tireless cancel [LOOP | FILE]'],
    about: [
      "End a loop permanently. A running agent is stopped; the project's files and the loop's journal stay.",
      'FILE: an active state file of this project whose loop has not begun; it is switched off as its document describes.',
    ],
    flags: {},
    examples: ['tireless cancel 2611'],
    notes: [...LOOP_NOTE, ...PLAIN_EXIT_CODES],
  },
  flags: {},
  isForPeople: true,
  run: async ({ words }, world) => {
    const given = loopArgument(words);
    const waiting = await waitingFileMeant(given, world);
    if (waiting !== undefined) {
      const { state: ended } = await cancelWaitingFile(waiting, world.services);
      say(
        world.stdout,
        `cancelled loop ${ended.loop} in ${oneLine(waiting.place.file, PATH_CHARS_MAX)}, before its first stop`,
      );
      return 0;
    }
    const loaded = await postOrRefuse(world, {
      given,
      kind: 'open',
      fits: (found) => !isEnded(found.state),
      event: () => ({ kind: 'cancel-requested' }),
    });
    const { spec, state } = loaded;
    // Its state file may have ended it differently first.
    const isCancelled = state.status === 'cancelled';
    say(
      world.stdout,
      isCancelled ? `cancelled loop ${state.loop}` : `loop ${state.loop} ${stateSentence({ spec, state })}`,
      ...(await unwrittenLines(loaded, world)),
    );
    return 0;
  },
});
