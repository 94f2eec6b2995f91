import type { HostLaunch } from '../launch.ts';
import { SESSION_VARIABLES } from './session-variables.ts';

export const launch: HostLaunch = {
  command: 'claude -p --output-format stream-json --verbose --include-partial-messages --permission-mode acceptEdits',
  reportsUsage: { cost: true, tokens: true },
  leave: 'edits files without asking; other tools as your settings allow',
  resume: {
    words: (session) => ['claude', '-p', '--resume', session, '--permission-mode', 'acceptEdits'],
    processVariable: 'CLAUDE_PID',
    sessionVariables: SESSION_VARIABLES,
  },
};
