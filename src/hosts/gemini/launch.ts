import type { HostLaunch } from '../launch.ts';

export const launch: HostLaunch = {
  command: 'gemini --approval-mode auto_edit',
  leave: 'edits files without asking; other tools as your settings allow',
};
