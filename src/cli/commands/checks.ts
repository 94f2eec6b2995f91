import { Fault } from '../../core/fault.ts';
import type { Spec } from '../../core/loop.ts';
import { newSpec } from '../../engine/new-spec.ts';
import { buildChecks, buildRoom } from '../../engine/spec/build-checks.ts';
import { judgeLines, judgeView } from '../../views/judge-report.ts';
import { checkOptions } from '../check-options.ts';
import type { Command } from '../command.ts';
import { command } from '../command.ts';
import type { FlagTable, Values } from '../flags.ts';
import { toggle } from '../flags.ts';
import { LOOP_NOTE, PLAIN_EXIT_CODES } from '../help-page.ts';
import { say, sayJson } from '../io.ts';
import { loopArgument } from '../loop-argument.ts';
import { CHECK_FLAGS, FINISH_FLAGS } from '../loop-flags.ts';
import { pickLoop } from '../pick-loop.ts';
import { projectDirectory } from '../../system/project.ts';
import { shownLoops } from '../shown-loops.ts';
import { roomOptions, TYPED_FLAGS } from '../spec-options.ts';

const FLAGS = {
  check: CHECK_FLAGS.check,
  'check-report': CHECK_FLAGS['check-report'],
  'check-timeout': CHECK_FLAGS['check-timeout'],
  protect: FINISH_FLAGS.protect,
  free: FINISH_FLAGS.free,
  'room-keep': FINISH_FLAGS['room-keep'],
  'room-setup': FINISH_FLAGS['room-setup'],
  json: toggle('print the same facts as one JSON object'),
} as const satisfies FlagTable;

export const checks: Command = command({
  page: {
    name: 'checks',
    synopsis: ['tireless checks [LOOP] [--json]', 'tireless checks --check CMD… [options]'],
    about: [
      'Show what judges the work: the checks, the files that count as they were at the start (tests, configuration of runners, scripts), and whether',
      'the clean room works for each check. With --check: for this project, before any loop starts. Each check then runs once in the project and once in',
      'the clean room, and nothing is kept.',
    ],
    flags: { Options: FLAGS },
    examples: ['tireless checks', 'tireless checks --check "npm test" --room-keep dist/'],
    notes: [...LOOP_NOTE, ...PLAIN_EXIT_CODES],
  },
  flags: FLAGS,
  run: async ({ words, values }, world) => {
    const given = loopArgument(words);
    const rooms = await world.services.rooms();
    if (values.check.length > 0) {
      if (given !== undefined)
        throw new Fault('USAGE', 'Cannot use --check with a loop: the loop has its own checks. Give one or the other.');
      const spec = specOf(values);
      const judged = await rooms.tryProject(spec, projectDirectory(undefined, world.cwd));
      if (values.json) sayJson(world.stdout, judgeView(null, spec, judged));
      else say(world.stdout, ...judgeLines(null, spec, judged));
      return 0;
    }
    const store = await world.services.store();
    const picked = pickLoop(store, { given, cwd: world.cwd, kind: 'checks', fits: () => true });
    const [loaded = picked] = await shownLoops([picked], world);
    const judged = await rooms.describe(loaded);
    const { loop } = loaded.state;
    if (values.json) sayJson(world.stdout, judgeView(loop, loaded.spec, judged));
    else say(world.stdout, ...judgeLines(loop, loaded.spec, judged));
    return 0;
  },
});

function specOf(flags: Values<typeof FLAGS>): Spec {
  const typed = buildChecks(checkOptions(flags), TYPED_FLAGS);
  return newSpec('', 'outer', { checks: typed, protect: flags.protect, ...buildRoom(roomOptions(flags), typed) });
}
