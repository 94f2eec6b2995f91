import { Fault } from '../../core/fault.ts';
import { oneLine } from '../../views/printable.ts';
import type { Command } from '../command.ts';
import { command } from '../command.ts';
import { PLAIN_EXIT_CODES } from '../help-page.ts';
import { say } from '../io.ts';
import { loopArgument } from '../loop-argument.ts';
import { projectDirectory } from '../../system/project.ts';
import { configFileOf, readRepositoryConfig } from '../repository-config.ts';

export const allow: Command = command({
  page: {
    name: 'allow',
    synopsis: ['tireless allow [DIR]'],
    about: [
      "Let the checks of a project's own .tireless/config.json run in loops. The permission is for this path and exactly this content: after any",
      'change, you are asked again. Read the file first; this command prints what it would run.',
    ],
    flags: {},
    examples: ['tireless allow', 'tireless allow ~/src/shop'],
    notes: PLAIN_EXIT_CODES,
  },
  flags: {},
  isForPeople: true,
  run: async ({ words }, world) => {
    const project = projectDirectory(loopArgument(words), world.cwd);
    const config = await readRepositoryConfig(project, 'Correct it, then run "tireless allow" again.');
    if (config === null)
      throw new Fault(
        'USAGE',
        `There is no ${configFileOf(project)} to allow. A project without one needs no permission.`,
      );
    (await world.services.trust()).allow(config.file, config.content);
    const commands = config.checks.map(
      ({ name, probe }) => `  ${name}: ${probe.kind === 'command' ? oneLine(probe.command, 200) : probe.kind}`,
    );
    const { name, command: line, args = [] } = config.agent ?? {};
    const agent =
      config.agent === undefined ? [] : [`  agent: ${oneLine([name ?? line ?? '', ...args].join(' '), 200)}`];
    say(world.stdout, `allowed ${config.file} as it is now:`, ...agent, ...commands);
    return 0;
  },
});
