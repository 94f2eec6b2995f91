import { markdownCommands } from '../command-files.ts';
import { nameIn } from '../fields.ts';
import { loaderText } from '../loader-file.ts';
import type { HostSetup, SetupPlace } from '../setup.ts';

export const install: HostSetup = {
  id: 'opencode',
  signs: { programs: ['opencode'], folders: ['.config/opencode', '.opencode'] },
  edits: (place) => [
    {
      kind: 'own-file',
      file: `${folderOf(place)}/plugin/tireless.js`,
      why: 'asks tireless before the agent stops, answers /ralph, offers a loop that can go on',
      text: loaderText(
        place,
        'opencode/tireless.js',
        (plugin, told) => `export default { id: 'tireless', server: (input) => ${plugin}.server(input, ${told}) };`,
      ),
    },
    // The plugin hears of the command with what was typed: OpenCode would run a shell for some of it in this text.
    ...markdownCommands(`${folderOf(place)}/command`, null),
  ],
  advice: ({ scope }) => [
    ...(scope === 'project' ? ['Do not commit .opencode/plugin/tireless.js: it holds paths of this machine.'] : []),
    'Sessions that are open now go on without it: start opencode again.',
  ],
};

function folderOf({ scope, home, project, variables }: SetupPlace): string {
  if (scope === 'project') return `${project}/.opencode`;
  return (
    nameIn(variables, 'OPENCODE_CONFIG_DIR') ?? `${nameIn(variables, 'XDG_CONFIG_HOME') ?? `${home}/.config`}/opencode`
  );
}
