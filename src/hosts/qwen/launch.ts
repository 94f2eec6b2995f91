import type { HostLaunch } from '../launch.ts';

export const launch: HostLaunch = {
  command: 'qwen --approval-mode auto-edit',
  leave: 'edits files without asking; other tools as your settings allow',
};
