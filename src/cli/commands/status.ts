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

export const status: Command = command({
  page: {
    name: 'status',
    synopsis: ['tireless status [LOOP] [--json]'],
    about: [
      'Open loops: where each stands, what it waits for, and whether the process that drives it is alive. With LOOP: that one, ended or not.',
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
        ? oldestFirst(store.list({ ended: false }))
        : [pickLoop(store, { given, cwd: world.cwd, kind: 'known', fits: () => true })];
    if (values.json) sayJson(world.stdout, { loops: loops.map(viewWithDriver) });
    else
      say(
        world.stdout,
        ...(loops.length === 0
          ? ['no open loops; "tireless history" shows the ended ones']
          : loops.flatMap((loaded) => statusLines(loaded, driverOf(loaded.state)))),
      );
    return 0;
  },
});
