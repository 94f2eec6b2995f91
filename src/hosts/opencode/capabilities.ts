import type { HostCapabilities } from '../capabilities.ts';
import { PLUGIN_CAPABILITIES } from '../plugin-capabilities.ts';

export const capabilities: HostCapabilities = {
  title: 'OpenCode',
  reopen: 'opencode --session ',
  measured: '1.18.33',
  stopHook: 'our plugin (experimental.text.complete, experimental.chat.messages.transform, session.idle)',
  ...PLUGIN_CAPABILITIES,
  runsManySessions: true,
  commands: 'files in command, answered by the plugin before the model is called',
  notes: [
    'Its screen shows the whole text that sends the agent back. The first line is for you; the goal and the rules are repeated only after a compaction, a return, or when the loop makes no progress.',
    "Plain `opencode run` continues because a loop's turn stays open until tireless has judged it; two of the hooks that allow this are experimental.",
    'In `opencode run` a command is the only argument, `opencode run \'/ralph "goal" --check "npm test"\'`, or a flag, with the goal on standard input: `opencode run --command ralph`. With `--attach` (not measured) use the flag: the plugin sees an argument only inside `opencode run`.',
    'When a loop ends, the turn ends before the next request; in `opencode run` an empty answer, marked as stopped, may remain at the end of the conversation.',
    'In `opencode run` a turn that ends without any text ends the program; the loop stays open and continues with the session.',
    'The plugin waits 620 seconds for an answer, then the agent may stop. Without a loop it starts no process.',
    'Tokens are counted; cost is known where OpenCode knows the price of the model.',
    'Sessions of subagents are ignored.',
  ],
};
