import type { HostLaunch } from '../launch.ts';

export const launch: HostLaunch = {
  command: 'codex exec --json --skip-git-repo-check --sandbox workspace-write -',
  reportsUsage: { cost: false, tokens: true },
  leave: 'runs commands and edits files inside the project',
};
