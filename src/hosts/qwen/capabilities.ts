import type { HostCapabilities } from '../capabilities.ts';

export const capabilities: HostCapabilities = {
  title: 'Qwen Code',
  measured: '0.24.4',
  stopHook: 'Stop',
  continuesAtStop: true,
  continuationsInRowMax: 7,
  raiseContinuations:
    'stopHookBlockingCap in the settings (`tireless install` sets it to 100, the most it takes: 99 replies), or QWEN_CODE_STOP_HOOK_BLOCK_CAP in the environment',
  hookTimeoutSeconds: 60,
  sessionVariable: null,
  drainInput: true,
  reportsLastMessage: true,
  reportsBackgroundWork: true,
  reportsUsage: false,
  reportsFailures: false,
  tellsUser: true,
  clearsContext: false,
  refusesTools: true,
  answersDialects: true,
  commands: 'files in commands, answered by the UserPromptSubmit hook',
  commandPrefix: '/',
  ownGoal: true,
  reloadsSettings: false,
  notes: [
    'The row of replies ends with the next prompt of the user: tools that the agent uses in between do not begin a new one. tireless hands the loop over before the end.',
    'Without its screen (`qwen "prompt"`) the answers to /ralph-status, /cancel-ralph and /ralph-help are not printed; how a loop ended is, among the errors, unless its output is JSON.',
    'In what stands beside a prompt or at the start of a session, Qwen Code shows the agent `&lt;` for `<`: the agent is told so, and a claim in such letters counts.',
    'When the model fails, no hook is told: the loop notices it when the session is resumed or the user writes.',
    'How full the context is, is reported: the loop is handed over before it overflows.',
    'A goal of Qwen Code itself (`/goal`) that is active in the session is seen, and the loop is refused or only watches.',
  ],
};
