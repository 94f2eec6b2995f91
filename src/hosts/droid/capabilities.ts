import type { HostCapabilities } from '../capabilities.ts';

export const capabilities: HostCapabilities = {
  title: 'Factory Droid',
  measured: '0.215.0',
  stopHook: 'Stop',
  continuesAtStop: true,
  continuationsInRowMax: 'unlimited',
  raiseContinuations: null,
  hookTimeoutSeconds: 60,
  sessionVariable: null,
  drainInput: true,
  reportsLastMessage: false,
  reportsBackgroundWork: false,
  reportsUsage: false,
  reportsFailures: false,
  tellsUser: true,
  clearsContext: false,
  refusesTools: true,
  commands: 'files in .factory/commands, answered by the UserPromptSubmit hook',
  reloadsSettings: false,
  notes: [
    'A forked or resumed session has a new id; the loop follows it.',
    '`droid exec "…"` calls no hook for its prompt: type /ralph on the screen, or start the loop with `tireless start` or `tireless run`.',
    'After /ralph-status, /cancel-ralph and /ralph-help it puts the line back into the box where you type: clear it before you write on.',
    'It calls the stop hook for a turn that failed too; nothing was said in it, so it counts as a failure and the agent may stop.',
    'What the agent said last is read from the transcript: the payload does not have it.',
  ],
};
