import type { HostCapabilities } from './capabilities.ts';

/** What our plugin (`plugins/`) adds to its host: it calls us itself, waits as long as necessary, and reports what it knows. */
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
  showsNotices: true,
  clearsContext: false,
  refusesTools: true,
  answersDialects: false,
  commandPrefix: '/',
  ownGoal: false,
  reloadsSettings: false,
};
