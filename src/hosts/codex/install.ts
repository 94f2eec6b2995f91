import { skillCommands } from '../command-files.ts';
import { fieldsOf, nameIn } from '../fields.ts';
import type { HookLine, HookRow } from '../hook-rows.ts';
import { foldersOf, groupEdits, linesFor, noticeRow, sessionRows } from '../hook-rows.ts';
import type { HostSetup, SettingsEdit, SetupPlace, TrustLook, UserPlace } from '../setup.ts';
import { trustedHash, trustKey } from './trust-hash.ts';

/** The tools of Codex's own goal call the hook while any loop is armed, because "complete" may not be true. */
const GOAL_TOOLS = '_goal$';
/** All other tools: with two hooks for one tool, the checks would run twice. Patterns of Codex cannot express "not". */
const OTHER_TOOLS = '(?:[^l]|(?:^|[^a])l|(?:^|[^o])al|(?:^|[^g])oal|(?:^|[^_])goal)$';

const ROWS: readonly HookRow[] = [
  ...sessionRows('Stop', 'UserPromptSubmit'),
  {
    event: 'PreToolUse',
    why: 'runs the checks before Codex completes its own goal',
    wake: 'own-session',
    matcher: GOAL_TOOLS,
  },
  {
    event: 'PreToolUse',
    why: 'enforces the time limit of an iteration, and keeps the agent from answering for you',
    wake: 'tool-session',
    matcher: OTHER_TOOLS,
    dialects: 'timed',
  },
  noticeRow('PermissionRequest'),
];

/** Codex obeys this; it ignores the same words at the top of a skill. */
const NOT_OFFERED = 'policy:\n  allow_implicit_invocation: false\n';

const folderOf = foldersOf(homeOf, '.codex');

export const install: HostSetup = {
  windows: { shell: 'powershell' },
  strictJson: true,
  signs: { programs: ['codex'], folders: ['.codex'] },
  userFolder: homeOf,
  edits: (place) => [
    ...groupEdits(hooksFile(place), linesFor(place, ROWS), { timeout: place.hookTimeoutSeconds }),
    ...(place.dialectsOnly
      ? []
      : skillCommands(`${folderOf(place)}/skills`, '$', { 'agents/openai.yaml': NOT_OFFERED })),
  ],
  // Measured: of two skills with the same name it runs neither.
  commandFiles: (name) => [
    { below: 'settings', file: `skills/${name}/SKILL.md` },
    { below: 'home', file: `.agents/skills/${name}/SKILL.md` },
    { below: 'project', file: `.codex/skills/${name}/SKILL.md` },
    { below: 'project', file: `.agents/skills/${name}/SKILL.md`, upwards: true },
  ],
  folderTrust: 'start codex there, and trust the folder',
  advice: (place) => [
    ...(place.trust
      ? []
      : [
          'Codex silently skips a hook until you trust it; until then codex exec sends "/ralph …" to the model as a plain prompt. Start codex, choose "Review hooks" (or type /hooks) and trust those of tireless; or run the same command with --trust.',
        ]),
    ...(place.scope === 'project'
      ? [
          'Codex reads .codex/hooks.json only in a trusted project; do not commit the file: it contains paths of this machine.',
        ]
      : []),
    'The screen of Codex refuses slash commands that are not its own: type $ralph there, $ralph-status and so on, or a space before the slash. codex exec accepts /ralph as is.',
    'Open sessions keep their old hooks: restart codex.',
  ],
  transcript: (place, session) => ({
    folder: `${homeOf(place)}/sessions`,
    below: ['*', '*', '*', `rollout-*-${session}.jsonl`],
  }),
  trust: (place, look) => {
    const file = hooksFile(place);
    const tables = linesFor(place, ROWS).flatMap((line) => tableOf(file, line, place, look));
    const edit: SettingsEdit = {
      kind: 'block',
      file: `${homeOf(place)}/config.toml`,
      why: 'marks the hooks of tireless as trusted, with your consent',
      text: `${tables.join('\n\n')}\n`,
    };
    return tables.length === 0 ? [] : [edit];
  },
};

/** The key contains the position of a hook in its list, so the hook is looked up there. */
function tableOf(
  file: string,
  { event, line, matcher }: HookLine,
  place: SetupPlace,
  look: TrustLook,
): readonly string[] {
  const groups = fieldsOf(fieldsOf(look.settingsIn(file))?.['hooks'])?.[event];
  if (!Array.isArray(groups)) return [];
  const index = groups.findIndex((group: unknown) => commandsIn(group).includes(line));
  if (index < 0) return [];
  const hook = {
    event,
    command: line,
    timeout: place.hookTimeoutSeconds,
    ...(matcher === undefined ? {} : { matcher }),
  };
  const key = trustKey(file, event, index, 0);
  return [`[hooks.state.${JSON.stringify(key)}]\ntrusted_hash = ${JSON.stringify(trustedHash(hook, look.sha256))}`];
}

function commandsIn(group: unknown): readonly unknown[] {
  const hooks = fieldsOf(group)?.['hooks'];
  return Array.isArray(hooks) ? hooks.map((hook: unknown) => fieldsOf(hook)?.['command']) : [];
}

function hooksFile(place: SetupPlace): string {
  return `${folderOf(place)}/hooks.json`;
}

function homeOf({ home, variables }: UserPlace): string {
  return nameIn(variables, 'CODEX_HOME') ?? `${home}/.codex`;
}
