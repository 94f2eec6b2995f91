import type { HostCapabilities } from '../capabilities.ts';

export const capabilities: HostCapabilities = {
  title: 'Gemini CLI',
  measured: '0.61.0',
  stopHook: 'AfterAgent',
  continuesAtStop: true,
  continuationsInRowMax: 'unlimited',
  raiseContinuations: null,
  hookTimeoutSeconds: 60,
  sessionVariable: null,
  drainInput: true,
  reportsLastMessage: true,
  reportsBackgroundWork: false,
  reportsUsage: false,
  reportsFailures: false,
  tellsUser: true,
  clearsContext: true,
  refusesTools: true,
  answersDialects: true,
  commands: 'TOML files in commands, answered by the BeforeAgent hook',
  reloadsSettings: false,
  notes: [
    'When a loop stands still, the next iteration begins without what was said before.',
    'Its own loop detector may end a turn without asking the hook: the loop is kept and goes on at the next event of the session; with its default limits a loop that repeats itself ends before that.',
    'Hooks of a project run only in a folder that Gemini trusts. In one that it was told not to trust no hook runs, also none of yours: it takes /ralph for a prompt, and nothing loops. `tireless doctor gemini` finds out.',
    'No stop is reported when the model failed: the next event of the session tells.',
  ],
};
