import type { HostLaunch } from '../launch.ts';

export const launch: HostLaunch = {
  command: 'claude -p --permission-mode acceptEdits',
  leave: 'edits files without asking; other tools as your settings allow',
};
