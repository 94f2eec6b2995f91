import { TYPED_COMMANDS } from '../../core/event.ts';
import { markdownCommands } from '../command-files.ts';
import { nameIn } from '../fields.ts';
import { WAKE_WORD } from '../guard.ts';
import type { HookRow } from '../hook-rows.ts';
import { armedLines, foldersOf, groupEdits, linesFor } from '../hook-rows.ts';
import { OTHER_NAME } from '../typed-command.ts';
import type { HostSetup, SettingsEdit, SetupPlace, UserPlace } from '../setup.ts';
import { PROJECT_VARIABLE } from './decode.ts';

/** A number that no loop reaches; 0 would turn off the cap for every other hook too. */
const BLOCK_CAP = '10000';

/**
 * Measured: a hook with `asyncRewake` runs in the background, and its exit code 2 begins a turn with the text on its stderr. It waits there
 * until a usage limit ends, so it has more time than the longest of them, a week.
 */
const WAKE_SECONDS_MAX = 8 * 24 * 60 * 60;

const ROWS: readonly HookRow[] = [
  {
    event: 'Stop',
    why: 'calls tireless before the agent stops',
    wake: 'own-session',
    whileArmed: true,
    dialects: true,
  },
  {
    event: 'StopFailure',
    why: 'reports a failed turn',
    wake: 'own-session',
    whileArmed: true,
    // Without its screen, Claude Code exits at once and kills the hook that it has just started.
    outlives: true,
    words: [WAKE_WORD],
    settings: {
      asyncRewake: true,
      rewakeSummary: 'tireless: the failed turn is retried',
      timeout: WAKE_SECONDS_MAX,
    },
    dialects: 'errors',
  },
  {
    event: 'UserPromptSubmit',
    why: 'lets what you write steer the loop',
    wake: 'own-session',
    whileArmed: true,
    dialects: true,
    isPrompt: true,
  },
  {
    event: 'PreToolUse',
    why: 'enforces the time limit of an iteration, and keeps the agent from answering for you',
    wake: 'tool-session',
    whileArmed: true,
    dialects: 'timed',
  },
  { event: 'SessionStart', why: 'offers a loop that can continue', wake: 'any-session', dialects: true },
  // Claude Code exits at once and kills the hook that it has just started.
  {
    event: 'SessionEnd',
    why: 'reports the end of a session',
    wake: 'own-session',
    whileArmed: true,
    outlives: true,
    dialects: 'ends',
  },
  {
    event: 'UserPromptExpansion',
    why: 'answers /ralph without a shell',
    wake: 'always',
    // It has to match the whole name.
    matcher: [...TYPED_COMMANDS, ...TYPED_COMMANDS.map((name) => `${OTHER_NAME}${name}`)].join('|'),
  },
];

const folderOf = foldersOf(configOf, '.claude');

export const install: HostSetup = {
  windows: { shell: 'none', isNamed: true },
  strictJson: true,
  projectVariable: PROJECT_VARIABLE,
  taskList: '"${CLAUDE_CONFIG_DIR:-$HOME/.claude}/tasks/${CLAUDE_CODE_TASK_LIST_ID:-${CLAUDE_CODE_SESSION_ID:-none}}"',
  signs: { programs: ['claude'], folders: ['.claude'] },
  userFolder: configOf,
  edits: (place) => [
    {
      kind: 'json',
      file: settingsOf(place),
      why: 'lets a loop continue more than 8 times in a row',
      puts: [{ path: ['env', 'CLAUDE_CODE_STOP_HOOK_BLOCK_CAP'], value: BLOCK_CAP, how: 'set' }],
    },
    ...groupEdits(settingsOf(place), linesFor(place, ROWS), { timeout: place.hookTimeoutSeconds }),
    ...(place.dialectsOnly ? [] : markdownCommands(`${folderOf(place)}/commands`, null)),
  ],
  // Measured: a skill takes precedence over a command file, and the user's over the project's.
  commandFiles: (name) => [
    { below: 'settings', file: `skills/${name}/SKILL.md` },
    { below: 'project', file: `.claude/skills/${name}/SKILL.md`, upwards: true },
    { below: 'settings', file: `commands/${name}.md` },
    { below: 'project', file: `.claude/commands/${name}.md`, upwards: true },
  ],
  advice: (place) =>
    place.onDemand ? [] : ['Open sessions read the new settings by themselves; the commands appear in new sessions.'],
  transcript: (place, session) => ({ folder: `${configOf(place)}/projects`, below: ['*', `${session}.jsonl`] }),
  // Measured: without its screen.
  readsSettingsOnce: (variables) => nameIn(variables, 'CLAUDE_CODE_ENTRYPOINT')?.startsWith('sdk') === true,
  whileArmed: (place): readonly SettingsEdit[] => {
    const file = settingsOf({ ...place, scope: 'project' });
    return groupEdits(file, armedLines(place, ROWS), { timeout: place.hookTimeoutSeconds });
  },
};

/** In a project, the file that is not committed, because the entries contain paths of this machine. */
function settingsOf(place: SetupPlace): string {
  return `${folderOf(place)}/${place.scope === 'user' ? 'settings.json' : 'settings.local.json'}`;
}

function configOf({ home, variables }: UserPlace): string {
  return nameIn(variables, 'CLAUDE_CONFIG_DIR') ?? `${home}/.claude`;
}
