import { markdownCommands } from '../command-files.ts';
import { foldersOf, groupEdits, linesFor, noticeRow, sessionRows, toolRow } from '../hook-rows.ts';
import type { HostSetup, UserPlace } from '../setup.ts';

const ROWS = [...sessionRows('Stop', 'UserPromptSubmit'), toolRow('PreToolUse'), noticeRow('Notification')];

const folderOf = foldersOf(userFolder, '.factory');

export const install: HostSetup = {
  windows: { shell: 'powershell' },
  signs: { programs: ['droid'], folders: ['.factory'] },
  userFolder,
  edits: (place) => [
    ...groupEdits(`${folderOf(place)}/settings.json`, linesFor(place, ROWS), {
      timeout: place.hookTimeoutSeconds,
    }),
    ...(place.dialectsOnly ? [] : markdownCommands(`${folderOf(place)}/commands`, '$ARGUMENTS')),
  ],
  commandFiles: (name) => [
    { below: 'project', file: `.factory/commands/${name}.md` },
    { below: 'project', file: `.factory/skills/${name}/SKILL.md` },
    { below: 'settings', file: `commands/${name}.md` },
    { below: 'settings', file: `skills/${name}/SKILL.md` },
  ],
  transcript: (place, session) => ({ folder: `${userFolder(place)}/sessions`, below: ['*', `${session}.jsonl`] }),
  advice: ({ scope }) => [
    ...(scope === 'project'
      ? ['Do not commit the hooks in .factory/settings.json: they contain paths of this machine.']
      : []),
    'Droid reads hooks from its settings only when no hooks.json is beside them; if you have one, move its hooks into the settings.',
    'Open sessions keep their old settings: restart droid.',
  ],
};

function userFolder({ home }: UserPlace): string {
  return `${home}/.factory`;
}
