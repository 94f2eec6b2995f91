import type { HostCapabilities } from '../host.ts';

/** Eight replies in a row without a tool call in between (`CLAUDE_CODE_STOP_HOOK_BLOCK_CAP`); the ninth is overridden without a word. */
export const capabilities: HostCapabilities = {
  continuesAtStop: true,
  continuationsInRowMax: 8,
  reportsBackgroundWork: true,
  reportsUsage: false,
  tellsUser: true,
};
