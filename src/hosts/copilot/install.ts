import { skillCommands } from '../command-files.ts';
import { nameIn } from '../fields.ts';
import type { HookRow } from '../hook-rows.ts';
import { foldersOf, linesFor } from '../hook-rows.ts';
import type { HostSetup, SetupPlace, UserPlace } from '../setup.ts';

const WHY = 'calls tireless before the agent stops, answers /ralph, offers a loop that can continue';

/** With this spelling, Copilot names the event in the payload; with its other spelling (`agentStop`) it does not. */
const ROWS: readonly HookRow[] = [
  { event: 'Stop', why: WHY, wake: 'own-session', dialects: true },
  { event: 'UserPromptSubmit', why: WHY, wake: 'always', dialects: true },
  { event: 'SessionStart', why: WHY, wake: 'any-session', dialects: true },
  { event: 'PreToolUse', why: WHY, wake: 'tool-session', dialects: 'timed' },
];

const folderOf = foldersOf(userFolder, '.github');

export const install: HostSetup = {
  windows: { shell: 'powershell' },
  signs: { programs: ['copilot'], folders: ['.copilot'] },
  userFolder,
  edits: (place) => [
    {
      kind: 'own-file',
      file: fileOf(place),
      why: WHY,
      text: `${JSON.stringify({ version: 1, hooks: hooksOf(place) }, undefined, 2)}\n`,
    },
    ...(place.dialectsOnly ? [] : skillCommands(`${folderOf(place)}/skills`, '/')),
  ],
  commandFiles: (name) => [
    ...['.github', '.claude', '.agents'].map((folder) => ({
      below: 'project' as const,
      file: `${folder}/skills/${name}/SKILL.md`,
    })),
    { below: 'settings', file: `skills/${name}/SKILL.md` },
    { below: 'home', file: `.agents/skills/${name}/SKILL.md` },
  ],
  folderTrust: 'start copilot there, and trust the folder',
  transcript: (place, session) => ({ folder: `${userFolder(place)}/session-state`, below: [session, 'events.jsonl'] }),
  advice: ({ scope }) => [
    ...(scope === 'project'
      ? [
          'Copilot CLI reads .github/hooks only in a trusted folder (--trust-folder); do not commit the file: it contains paths of this machine.',
        ]
      : []),
    'Copilot CLI ends a turn after 8 replies to one prompt, which cannot be changed; the loop is kept, and continues with your next prompt or with "tireless resume".',
    'Open sessions keep their old hooks: restart copilot.',
  ],
};

function hooksOf(place: SetupPlace): Readonly<Record<string, readonly unknown[]>> {
  const hooks: Record<string, unknown[]> = {};
  for (const { event, line } of linesFor(place, ROWS)) {
    (hooks[event] ??= []).push({
      type: 'command',
      [place.isWindows ? 'powershell' : 'bash']: line,
      timeoutSec: place.hookTimeoutSeconds,
    });
  }
  return hooks;
}

function fileOf(place: SetupPlace): string {
  return `${folderOf(place)}/hooks/tireless.json`;
}

function userFolder({ home, variables }: UserPlace): string {
  return nameIn(variables, 'COPILOT_HOME') ?? `${home}/.copilot`;
}
