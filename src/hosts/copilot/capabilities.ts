import type { HostCapabilities } from '../capabilities.ts';

export const capabilities: HostCapabilities = {
  title: 'GitHub Copilot CLI',
  measured: '1.0.102',
  stopHook: 'Stop',
  continuesAtStop: true,
  continuationsInRowMax: 8,
  raiseContinuations: null,
  hookTimeoutSeconds: 30,
  sessionVariable: null,
  drainInput: true,
  reportsLastMessage: false,
  reportsBackgroundWork: false,
  reportsUsage: false,
  reportsFailures: false,
  tellsUser: false,
  clearsContext: false,
  refusesTools: true,
  commands: 'skills, answered by the UserPromptSubmit hook without asking the model',
  reloadsSettings: false,
  notes: [
    'After eight replies in a row the loop is handed over: `tireless resume LOOP` goes on outside of the session. Tools that the agent uses in between do not begin a new row; your next prompt does, and the loop goes on with it.',
    'What the agent said last is read from the transcript: the payload does not have it. Copilot writes it while the hook runs already, so the hook waits for it, at most two seconds.',
    'No reply to a stop is shown to you. What you have to know, the agent is asked to tell you at your next prompt; `tireless status` says it at once.',
    'Its event for errors comes for every attempt at a call, also before one that succeeds, and is not used: a turn that failed is noticed when the session is resumed.',
    'A repository with hooks of its own and of Claude Code may run both.',
  ],
};
