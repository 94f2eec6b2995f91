import type { HostLaunch } from '../launch.ts';

export const launch: HostLaunch = {
  command: 'claude -p --output-format stream-json --verbose --include-partial-messages --permission-mode acceptEdits',
  tells: { cost: true, tokens: true },
  leave: 'edits files without asking; other tools as your settings allow',
  resume: {
    words: (session) => ['claude', '-p', '--resume', session, '--permission-mode', 'acceptEdits'],
    processVariable: 'CLAUDE_PID',
    // With CLAUDECODE it refuses to start: it takes itself for an agent in a session.
    sessionVariables: [
      'CLAUDECODE',
      'CLAUDE_CODE_ENTRYPOINT',
      'CLAUDE_CODE_SESSION_ID',
      'CLAUDE_CODE_SESSION_ATTENDED',
      'CLAUDE_PID',
      'CLAUDE_PROJECT_DIR',
      'CLAUDE_ENV_FILE',
      'CLAUDE_EFFORT',
      'AI_AGENT',
    ],
  },
};
