import { nameIn } from '../fields.ts';
import { foldersOf } from '../hook-rows.ts';
import { loaderText } from '../loader-file.ts';
import type { HostSetup, UserPlace } from '../setup.ts';

const folderOf = foldersOf(userFolder, '.pi');

export const install: HostSetup = {
  signs: { programs: ['pi'], folders: ['.pi'] },
  userFolder,
  edits: (place) => [
    {
      kind: 'own-file',
      file: `${folderOf(place)}/extensions/tireless.ts`,
      why: 'asks tireless before the agent stops, makes /ralph known, offers a loop that can go on',
      text: loaderText(
        place,
        'pi/tireless.js',
        (plugin, settings) => `export default (pi) => ${plugin}(pi, ${settings});`,
      ),
    },
  ],
  folderTrust: 'start pi there, and say that you trust the project',
  advice: ({ scope }) => [
    ...(scope === 'project'
      ? [
          'Pi reads .pi only in a project that it trusts; do not commit .pi/extensions/tireless.ts: it holds paths of this machine.',
        ]
      : []),
    'In a session that is open now, type /reload.',
  ],
};

function userFolder({ home, variables }: UserPlace): string {
  return nameIn(variables, 'PI_CODING_AGENT_DIR') ?? `${home}/.pi/agent`;
}
