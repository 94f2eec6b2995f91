import { tomlCommands } from '../command-files.ts';
import { nameIn } from '../fields.ts';
import { foldersOf, groupEdits, linesFor, noticeRow, sessionRows, toolRow } from '../hook-rows.ts';
import type { HostSetup, UserPlace } from '../setup.ts';

const ROWS = [...sessionRows('AfterAgent', 'BeforeAgent'), toolRow('BeforeTool'), noticeRow('Notification')];

const ID_CHARS = 8;

const folderOf = foldersOf(userFolder, '.gemini');

export const install: HostSetup = {
  windows: { shell: 'powershell' },
  countsMs: true,
  signs: { programs: ['gemini'], folders: ['.gemini'] },
  userFolder,
  edits: (place) => [
    ...groupEdits(`${folderOf(place)}/settings.json`, linesFor(place, ROWS), {
      name: 'tireless',
      timeout: place.hookTimeoutSeconds * 1000,
    }),
    ...(place.dialectsOnly ? [] : tomlCommands(`${folderOf(place)}/commands`)),
  ],
  // Measured: if the user and the project both have a command of the same name, neither runs by that name.
  commandFiles: (name) => [
    { below: 'settings', file: `commands/${name}.toml` },
    { below: 'project', file: `.gemini/commands/${name}.toml` },
  ],
  folderTrust: 'start gemini there, type /permissions, and trust the folder',
  // The file name contains only the beginning of the id.
  transcript: (place, session) => ({
    folder: `${userFolder(place)}/tmp`,
    below: ['*', 'chats', `session-*-${session.slice(0, ID_CHARS)}.jsonl`],
  }),
  advice: ({ scope }) => [
    ...(scope === 'project'
      ? [
          'Gemini CLI reads .gemini/settings.json only in a trusted folder (/permissions, or GEMINI_CLI_TRUST_WORKSPACE=true); with --skip-trust it runs without these hooks.',
          'Do not commit the hooks in .gemini/settings.json: they contain paths of this machine.',
        ]
      : [
          'In an untrusted folder Gemini CLI silently runs no hook: trust it with /permissions before you type /ralph there.',
        ]),
    'Open sessions keep their old settings: restart gemini.',
  ],
};

/** The variable replaces the home of the user. */
function userFolder({ home, variables }: UserPlace): string {
  return `${nameIn(variables, 'GEMINI_CLI_HOME') ?? home}/.gemini`;
}
