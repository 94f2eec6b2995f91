import type { HostCapabilities } from '../capabilities.ts';

export const capabilities: HostCapabilities = {
  title: 'Claude Code',
  measured: '2.1.325',
  stopHook: 'Stop',
  continuesAtStop: true,
  continuationsInRowMax: 8,
  raiseContinuations: 'CLAUDE_CODE_STOP_HOOK_BLOCK_CAP in the env of the settings; `tireless install` sets it',
  hookTimeoutSeconds: 600,
  sessionVariable: 'CLAUDE_CODE_SESSION_ID',
  drainInput: false,
  reportsLastMessage: true,
  reportsBackgroundWork: true,
  reportsUsage: false,
  reportsFailures: true,
  tellsUser: true,
  clearsContext: false,
  refusesTools: true,
  answersDialects: true,
  commands: 'files in .claude/commands, answered by a UserPromptExpansion hook: no shell sees what was typed',
  reloadsSettings: true,
  notes: [
    'A reply counts against the row only when the agent used no tool in between; the ninth is overridden without a word.',
    '`claude -p` exits while it reports a failed turn, and kills the hook; tireless writes it down all the same.',
    'Esc ends a turn without any event; the next message of the user tells.',
    'Its own goal (/goal) believes what it reads; beside one a loop is started with --observe only, and a loop that was there before goes on by its own checks.',
  ],
};
