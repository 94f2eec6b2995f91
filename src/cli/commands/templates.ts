import { Fault } from '../../core/fault.ts';
import type { Command } from '../command.ts';
import { command } from '../command.ts';
import { toggle } from '../flags.ts';
import { PLAIN_EXIT_CODES } from '../help-page.ts';
import { say, sayJson } from '../io.ts';
import { projectDirectory } from '../../system/project.ts';
import type { Template } from '../templates.ts';
import { allTemplates, templateNamed } from '../templates.ts';

const FROM_COLUMNS = 10;

const FLAGS = { json: toggle('print {"templates":[…]}, or the named one, for scripts') } as const;

export const templates: Command = command({
  page: {
    name: 'templates',
    synopsis: ['tireless templates [NAME] [--json]'],
    about: [
      'Ready-made goals for "tireless run --template NAME"; with a name, the text of one. {{GOAL}} is replaced with your own',
      'words. A project file .tireless/templates/NAME.md is a template too, and overrides a built-in one of the same name.',
    ],
    flags: { Options: FLAGS },
    examples: ['tireless templates', 'tireless templates feature > .tireless/templates/our-feature.md'],
    notes: PLAIN_EXIT_CODES,
  },
  flags: FLAGS,
  run: async ({ words, values }, world) => {
    const project = projectDirectory(undefined, world.cwd);
    const [name, ...more] = words;
    if (more.length > 0)
      throw new Fault('USAGE', `Expected at most one template, but got ${words.length} words. Name one.`);
    if (name === undefined) {
      const all = allTemplates(project);
      if (values.json) sayJson(world.stdout, { templates: all });
      else say(world.stdout, ...rows(all));
      return 0;
    }
    const template = templateNamed(name, project);
    if (values.json) sayJson(world.stdout, template);
    else say(world.stdout, template.text.trimEnd());
    return 0;
  },
});

function rows(all: readonly Template[]): readonly string[] {
  const width = Math.max(...all.map(({ name }) => name.length));
  return all.map(({ name, from, title }) => `${name.padEnd(width)}  ${from.padEnd(FROM_COLUMNS)}${title}`);
}
