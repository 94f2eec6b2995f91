import { markdownCommands } from '../command-files.ts';
import { nameIn } from '../fields.ts';
import { foldersOf, groupEdits, linesFor, noticeRow, sessionRows, toolRow } from '../hook-rows.ts';
import type { HostSetup, UserPlace } from '../setup.ts';

/** The maximum that Qwen Code accepts; a larger number counts as this one. */
const BLOCK_CAP_MAX = 100;

const ROWS = [...sessionRows('Stop', 'UserPromptSubmit'), toolRow('PreToolUse'), noticeRow('Notification')];

const folderOf = foldersOf(userFolder, '.qwen');

export const install: HostSetup = {
  windows: { shell: 'powershell', isNamed: true },
  signs: { programs: ['qwen'], folders: ['.qwen'] },
  userFolder,
  edits: (place) => [
    {
      kind: 'json',
      file: `${folderOf(place)}/settings.json`,
      why: 'lets a loop continue more than 7 times in a row',
      puts: [{ path: ['stopHookBlockingCap'], value: BLOCK_CAP_MAX, how: 'set' }],
    },
    ...groupEdits(`${folderOf(place)}/settings.json`, linesFor(place, ROWS), {
      name: 'tireless',
      timeout: place.hookTimeoutSeconds,
    }),
    ...(place.dialectsOnly ? [] : markdownCommands(`${folderOf(place)}/commands`, '{{args}}')),
  ],
  // Measured: the project's take precedence over the user's, and Markdown over TOML.
  commandFiles: (name) => [
    { below: 'project', file: `.qwen/commands/${name}.md` },
    { below: 'project', file: `.qwen/commands/${name}.toml` },
    { below: 'settings', file: `commands/${name}.md` },
    { below: 'settings', file: `commands/${name}.toml` },
    { below: 'project', file: `.qwen/skills/${name}/SKILL.md` },
    { below: 'settings', file: `skills/${name}/SKILL.md` },
    { below: 'home', file: `.agents/skills/${name}/SKILL.md` },
  ],
  transcript: (place, session) => ({
    // Sessions can be kept apart from the settings.
    folder: `${nameIn(place.variables, 'QWEN_RUNTIME_DIR') ?? userFolder(place)}/projects`,
    below: ['*', 'chats', `${session}.jsonl`],
  }),
  advice: ({ scope }) => [
    ...(scope === 'project'
      ? ['Do not commit the hooks in .qwen/settings.json: they contain paths of this machine.']
      : []),
    `Qwen Code ends a turn after ${BLOCK_CAP_MAX - 1} replies to one prompt, whatever the settings; the loop is kept, and continues with your next prompt or with "tireless resume".`,
    'Open sessions keep their old settings: restart qwen.',
  ],
};

function userFolder({ home, variables }: UserPlace): string {
  return nameIn(variables, 'QWEN_HOME') ?? `${home}/.qwen`;
}
