import { driverOf } from '../../system/driver-process.ts';
import { statusLines } from '../../views/status-lines.ts';
import type { Command } from '../command.ts';
import { command } from '../command.ts';
import { LOOP_NOTE, PLAIN_EXIT_CODES } from '../help-page.ts';
import { say, sayJson } from '../io.ts';
import { JSON_FLAG } from '../loop-flags.ts';
import { oldestFirst, viewWithDriver } from '../print-loops.ts';
import { loopArgument } from '../loop-argument.ts';
import { pickLoop } from '../pick-loop.ts';
import { openLoopsNow, waitingFiles, waitingLines } from '../waiting-files.ts';

export const status: Command = command({
  page: {
    name: 'status',
    synopsis: ['tireless status [LOOP] [--json]'],
    about: [
      'Open loops: where each stands, what it waits for, and whether the process that drives it is alive. With LOOP: that one, ended or not.',
      'Also active state files of this project whose loop begins at the next stop. A loop whose file is gone or switched off ends here.',
    ],
    flags: { Options: JSON_FLAG },
    examples: ['tireless status', 'tireless status --json'],
    notes: [...LOOP_NOTE, ...PLAIN_EXIT_CODES],
  },
  flags: JSON_FLAG,
  run: async ({ words, values }, world) => {
    const store = await world.services.store();
    const given = loopArgument(words);
    const loops =
      given === undefined
        ? oldestFirst(await openLoopsNow(world))
        : [pickLoop(store, { given, cwd: world.cwd, kind: 'known', fits: () => true })];
    const files = given === undefined ? await waitingFiles(world) : [];
    if (values.json)
      sayJson(world.stdout, {
        loops: loops.map(viewWithDriver),
        ...(files.length === 0
          ? {}
          : { files: files.map(({ dialect, place, reading }) => ({ dialect, file: place.file, goal: reading.goal })) }),
      });
    else
      say(
        world.stdout,
        ...(loops.length + files.length === 0
          ? ['no open loops; "tireless history" shows the ended ones']
          : loops.flatMap((loaded) => statusLines(loaded, driverOf(loaded.state)))),
        ...files.flatMap(waitingLines),
      );
    return 0;
  },
});
