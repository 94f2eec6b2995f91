import type { HostLaunch } from '../launch.ts';

export const launch: HostLaunch = {
  command: 'copilot -p "$(cat)" --allow-all-tools',
  leave: 'uses every tool without asking',
};
