import type { HostLaunch } from '../launch.ts';

export const launch: HostLaunch = {
  command: 'opencode run',
  leave: 'does what your configuration allows; anything OpenCode would ask about is refused',
};
