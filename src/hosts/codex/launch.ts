import type { HostLaunch } from '../launch.ts';

export const launch: HostLaunch = {
  command: 'codex exec --skip-git-repo-check --sandbox workspace-write -',
  leave: 'runs commands and edits files inside the project',
};
