import { nameIn } from '../fields.ts';
import { foldersOf } from '../hook-rows.ts';
import { loaderText } from '../loader-file.ts';
import type { HostSetup, UserPlace } from '../setup.ts';

const folderOf = foldersOf(userFolder, '.pi');

/** For the module that pi loads. */
const WITHOUT_PROGRAM: readonly string[] = [
  'function withoutProgram(pi) {',
  "  pi.on('input', ({ text }, { hasUI, ui }) => {",
  '    if (!COMMAND.test(text)) return undefined;',
  "    if (hasUI) ui.notify(GONE, 'warning');",
  '    else process.stderr.write(`${GONE}\\n`);',
  "    return { action: 'handled' };",
  '  });',
  '}',
];

export const install: HostSetup = {
  signs: { programs: ['pi'], folders: ['.pi'] },
  userFolder,
  edits: (place) => [
    {
      kind: 'own-file',
      file: `${folderOf(place)}/extensions/tireless.ts`,
      why: 'calls tireless before the agent stops, adds /ralph, offers a loop that can continue',
      text: loaderText(
        place,
        'pi/tireless.js',
        (plugin, settings) =>
          `export default async (pi) => {\n  const plugin = await load();\n  return plugin === null ? withoutProgram(pi) : ${plugin}(pi, ${settings});\n};`,
        WITHOUT_PROGRAM,
      ),
    },
  ],
  commandFiles: (name) => [
    { below: 'project', file: `.pi/prompts/${name}.md` },
    { below: 'settings', file: `prompts/${name}.md` },
  ],
  namesItself: true,
  folderTrust: 'start pi there, and trust the project',
  advice: ({ scope }) => [
    ...(scope === 'project'
      ? [
          'Pi reads .pi only in a trusted project; do not commit .pi/extensions/tireless.ts: it contains paths of this machine.',
        ]
      : []),
    'In a session that is open now, type /reload.',
  ],
};

function userFolder({ home, variables }: UserPlace): string {
  return nameIn(variables, 'PI_CODING_AGENT_DIR') ?? `${home}/.pi/agent`;
}
