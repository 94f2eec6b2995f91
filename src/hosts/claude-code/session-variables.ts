/**
 * They belong to a session that tireless was called from. With CLAUDECODE set, Claude Code believes it is an agent in that session, and
 * refuses to start.
 */
export const SESSION_VARIABLES: readonly string[] = [
  'CLAUDECODE',
  'CLAUDE_CODE_ENTRYPOINT',
  'CLAUDE_CODE_SESSION_ID',
  'CLAUDE_CODE_SESSION_ATTENDED',
  'CLAUDE_PID',
  'CLAUDE_PROJECT_DIR',
  'CLAUDE_ENV_FILE',
  'CLAUDE_EFFORT',
  'AI_AGENT',
];
