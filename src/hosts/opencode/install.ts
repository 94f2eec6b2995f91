import { markdownCommands } from '../command-files.ts';
import { nameIn } from '../fields.ts';
import { foldersOf } from '../hook-rows.ts';
import { loaderText } from '../loader-file.ts';
import type { CommandPlace, HostSetup, UserPlace } from '../setup.ts';

const folderOf = foldersOf(userFolder, '.opencode');

/** For the module that OpenCode loads. An error thrown there is shown, and no model is called. */
const WITHOUT_PROGRAM: readonly string[] = [
  'const refuse = async (text) => {',
  '  if (!COMMAND.test(text)) return;',
  "  if (process.argv.includes('run')) process.stderr.write(`${GONE}\\n`);",
  '  throw new Error(GONE);',
  '};',
  'const withoutProgram = {',
  "  'command.execute.before': ({ command }) => refuse(`/${command}`),",
  "  'chat.message': (_, { parts }) => refuse(parts.find(({ type }) => type === 'text')?.text ?? ''),",
  '};',
];

export const install: HostSetup = {
  signs: { programs: ['opencode'], folders: ['.config/opencode', '.opencode'] },
  userFolder,
  edits: (place) => [
    {
      kind: 'own-file',
      file: `${folderOf(place)}/plugin/tireless.js`,
      why: 'calls tireless before the agent stops, answers /ralph, offers a loop that can continue',
      text: loaderText(
        place,
        'opencode/tireless.js',
        (plugin, settings) =>
          `export default {\n  id: 'tireless',\n  server: async (input) => {\n    const plugin = await load();\n    return plugin === null ? withoutProgram : ${plugin}.server(input, ${settings});\n  },\n};`,
        WITHOUT_PROGRAM,
      ),
    },
    // The plugin receives the command and the typed text: in this file, OpenCode would run parts of it in a shell.
    ...markdownCommands(`${folderOf(place)}/command`, null),
  ],
  // Measured: the project's take precedence over the user's, `commands` over `command`, and any file over the settings.
  commandFiles: (name) => [
    { below: 'project', file: `.opencode/commands/${name}.md` },
    { below: 'project', file: `.opencode/command/${name}.md` },
    { below: 'settings', file: `commands/${name}.md` },
    { below: 'settings', file: `command/${name}.md` },
    ...['skill', 'skills'].flatMap((folder): CommandPlace[] => [
      { below: 'project', file: `.opencode/${folder}/${name}/SKILL.md` },
      { below: 'settings', file: `${folder}/${name}/SKILL.md` },
    ]),
    ...['opencode.json', 'opencode.jsonc'].flatMap((file) =>
      (['project', 'settings'] as const).map((below) => ({ below, file, key: ['command', name, 'template'] })),
    ),
  ],
  advice: ({ scope }) => [
    ...(scope === 'project' ? ['Do not commit .opencode/plugin/tireless.js: it contains paths of this machine.'] : []),
    'Open sessions run without it: restart opencode.',
  ],
};

function userFolder({ home, variables }: UserPlace): string {
  return (
    nameIn(variables, 'OPENCODE_CONFIG_DIR') ?? `${nameIn(variables, 'XDG_CONFIG_HOME') ?? `${home}/.config`}/opencode`
  );
}
