import { markdownCommands } from '../command-files.ts';
import { nameIn } from '../fields.ts';
import { foldersOf } from '../hook-rows.ts';
import { loaderText } from '../loader-file.ts';
import type { HostSetup, UserPlace } from '../setup.ts';

const folderOf = foldersOf(userFolder, '.opencode');

export const install: HostSetup = {
  signs: { programs: ['opencode'], folders: ['.config/opencode', '.opencode'] },
  userFolder,
  edits: (place) => [
    {
      kind: 'own-file',
      file: `${folderOf(place)}/plugin/tireless.js`,
      why: 'asks tireless before the agent stops, answers /ralph, offers a loop that can go on',
      text: loaderText(
        place,
        'opencode/tireless.js',
        (plugin, settings) =>
          `export default { id: 'tireless', server: (input) => ${plugin}.server(input, ${settings}) };`,
      ),
    },
    // The plugin hears of the command with what was typed: OpenCode would run a shell for some of it in this text.
    ...markdownCommands(`${folderOf(place)}/command`, null),
  ],
  commandFiles: { folder: '.opencode', files: (name) => [`command/${name}.md`, `commands/${name}.md`] },
  advice: ({ scope }) => [
    ...(scope === 'project' ? ['Do not commit .opencode/plugin/tireless.js: it holds paths of this machine.'] : []),
    'Sessions that are open now go on without it: start opencode again.',
  ],
};

function userFolder({ home, variables }: UserPlace): string {
  return (
    nameIn(variables, 'OPENCODE_CONFIG_DIR') ?? `${nameIn(variables, 'XDG_CONFIG_HOME') ?? `${home}/.config`}/opencode`
  );
}
