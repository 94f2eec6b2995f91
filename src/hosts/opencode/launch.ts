import type { HostLaunch } from '../launch.ts';

export const launch: HostLaunch = {
  command: 'opencode run',
  leave: 'does what your configuration allows; what OpenCode would ask you about is refused',
};
