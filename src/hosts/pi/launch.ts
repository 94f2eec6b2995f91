import type { HostLaunch } from '../launch.ts';

export const launch: HostLaunch = {
  command: 'pi -p "$(cat)"',
  leave: 'uses every tool without asking; pi never asks',
};
