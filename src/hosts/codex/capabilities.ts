import type { HostCapabilities } from '../capabilities.ts';

export const capabilities: HostCapabilities = {
  title: 'Codex CLI',
  measured: '0.166.0',
  stopHook: 'Stop',
  continuesAtStop: true,
  continuationsInRowMax: 'unlimited',
  raiseContinuations: null,
  hookTimeoutSeconds: 600,
  sessionVariable: null,
  agentVariables: ['CODEX_THREAD_ID', 'CODEX_SESSION_ID'],
  drainInput: true,
  reportsLastMessage: true,
  reportsBackgroundWork: false,
  reportsUsage: false,
  reportsFailures: false,
  tellsUser: true,
  clearsContext: false,
  refusesTools: true,
  answersDialects: true,
  commands:
    'skills: `$ralph` (its screen refuses slash commands that are not its own, but takes them with a space before the slash); `/ralph` in `codex exec`; answered by the UserPromptSubmit hook',
  commandPrefix: '$',
  ownGoal: true,
  reloadsSettings: false,
  notes: [
    'A hook that is not trusted, or was changed since, is skipped without a word; `tireless doctor codex` finds out.',
    'Nothing is reported when the model failed, a usage limit was reached or the user interrupted: the loop stays `running`, and the next event of the session tells. When the session will not go on, `tireless resume LOOP --agent codex` takes the loop out of it, with its counters.',
    'What a hook has to say to you is shown on its screen only; `codex exec` prints none of it: look at `tireless status`.',
    'After a compaction the prompts of a loop are gone from the conversation: every prompt says the goal again.',
    'Its own goal (/goal) believes the agent; where it is active, a loop is started with --observe only, and "complete" is refused while the checks fail.',
  ],
};
