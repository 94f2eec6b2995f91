import type { Command } from '../command.ts';
import { command } from '../command.ts';
import { PLAIN_EXIT_CODES } from '../help-page.ts';
import { say } from '../io.ts';
import { loopArgument } from '../loop-argument.ts';
import { modifiedMs } from '../../system/folder.ts';
import { projectDirectory } from '../../system/project.ts';
import { configFileOf } from '../repository-config.ts';

export const deny: Command = command({
  page: {
    name: 'deny',
    synopsis: ['tireless deny [DIR]'],
    about: [
      "Never run the checks of a project's own .tireless/config.json, whatever it says now or later. Loops continue without them.",
    ],
    flags: {},
    examples: ['tireless deny'],
    notes: ['"tireless allow" undoes it.', ...PLAIN_EXIT_CODES],
  },
  flags: {},
  isForPeople: true,
  run: async ({ words }, world) => {
    const file = configFileOf(projectDirectory(loopArgument(words), world.cwd));
    (await world.services.trust()).deny(file);
    const missing = modifiedMs(file) === undefined ? ', which does not exist yet' : '';
    say(world.stdout, `denied ${file}${missing}; "tireless allow" undoes it`);
    return 0;
  },
});
