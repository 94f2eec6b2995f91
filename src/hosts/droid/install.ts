import { markdownCommands } from '../command-files.ts';
import type { HookRow } from '../hook-rows.ts';
import { groupEdits, linesFor } from '../hook-rows.ts';
import type { HostSetup, SetupPlace } from '../setup.ts';

const ROWS: readonly HookRow[] = [
  { event: 'Stop', why: 'asks tireless before the agent stops', wake: 'own-session', dialects: true },
  {
    event: 'UserPromptSubmit',
    why: 'answers /ralph and lets what you write steer the loop',
    wake: 'always',
    dialects: true,
  },
  { event: 'SessionStart', why: 'offers a loop that can go on', wake: 'any-session', dialects: true },
  { event: 'PreToolUse', why: 'holds an iteration to its time', wake: 'timed-session', dialects: 'timed' },
];

export const install: HostSetup = {
  id: 'droid',
  windows: { shell: 'powershell' },
  signs: { programs: ['droid'], folders: ['.factory'] },
  edits: (place) => [
    ...groupEdits(`${folderOf(place)}/settings.json`, linesFor(place, ROWS), { timeout: place.hookTimeoutSeconds }),
    ...(place.dialectsOnly ? [] : markdownCommands(`${folderOf(place)}/commands`, '$ARGUMENTS')),
  ],
  advice: ({ scope }) => [
    ...(scope === 'project'
      ? ['Do not commit the hooks in .factory/settings.json: they hold paths of this machine.']
      : []),
    'Droid reads hooks of its settings only when there is no hooks.json beside them; if you have one, move its hooks into the settings.',
    'Sessions that are open now go on with their old settings: start droid again.',
  ],
};

function folderOf({ scope, home, project }: SetupPlace): string {
  return `${scope === 'user' ? home : project}/.factory`;
}
