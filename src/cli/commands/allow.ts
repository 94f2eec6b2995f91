import { Fault } from '../../core/fault.ts';
import type { Limits } from '../../core/loop.ts';
import { oneLine } from '../../views/printable.ts';
import type { Command } from '../command.ts';
import { command } from '../command.ts';
import { PLAIN_EXIT_CODES } from '../help-page.ts';
import { say } from '../io.ts';
import { LIMIT_KEYS, LIMIT_NAMES, limitText } from '../limit-words.ts';
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
    const trust = await world.services.trust();
    if (config === null) {
      const file = configFileOf(project);
      if (trust.ask(file, '') !== 'denied')
        throw new Fault('USAGE', `There is no ${file} to allow. A project without one needs no permission.`);
      trust.forgetDenial(file);
      say(world.stdout, `${file} is no longer denied; it does not exist`);
      return 0;
    }
    const isChanged = trust.ask(config.file, config.content) === 'changed';
    trust.allow(config.file, config.content);
    const commands = config.checks.map(
      ({ name, probe }) => `  ${name}: ${probe.kind === 'command' ? oneLine(probe.command, 200) : probe.kind}`,
    );
    const { name, command: line, args = [] } = config.agent ?? {};
    const agent =
      config.agent === undefined ? [] : [`  agent: ${oneLine([name ?? line ?? '', ...args].join(' '), 200)}`];
    const now = isChanged ? 'as it is now (it changed since you allowed it)' : 'as it is now';
    say(world.stdout, `allowed ${config.file} ${now}:`, ...agent, ...commands, ...limitLines(config.limits));
    return 0;
  },
});

/** They apply without permission, because they can only lower a limit; but they are part of what was read. */
function limitLines(limits: Partial<Limits>): readonly string[] {
  return LIMIT_KEYS.flatMap((key) => {
    const limit = limits[key];
    return limit === undefined ? [] : [`  ${LIMIT_NAMES[key]}: at most ${limitText(key, limit)}`];
  });
}
