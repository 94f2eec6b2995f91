import type { HostLaunch } from '../launch.ts';

export const launch: HostLaunch = {
  command: 'droid exec --auto medium',
  leave: 'edits files and runs reversible commands',
};
