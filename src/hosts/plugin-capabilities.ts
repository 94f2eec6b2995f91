import type { HostCapabilities } from './capabilities.ts';

/** What a plugin of ours (`plugins/`) makes of its host: it calls us itself, waits as long as it likes, and reports what it knows. */
export const PLUGIN_CAPABILITIES: Omit<HostCapabilities, 'title' | 'measured' | 'stopHook' | 'commands' | 'notes'> = {
  continuesAtStop: true,
  continuationsInRowMax: 'unlimited',
  raiseContinuations: null,
  hookTimeoutSeconds: 620,
  sessionVariable: null,
  drainInput: false,
  reportsLastMessage: true,
  reportsBackgroundWork: false,
  reportsUsage: true,
  reportsFailures: true,
  tellsUser: true,
  clearsContext: false,
  refusesTools: true,
  answersDialects: false,
  commandPrefix: '/',
  ownGoal: false,
  reloadsSettings: false,
};
