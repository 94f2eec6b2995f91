import type { HostCapabilities } from '../capabilities.ts';
import { PLUGIN_CAPABILITIES } from '../plugin-capabilities.ts';

export const capabilities: HostCapabilities = {
  title: 'OpenCode',
  measured: '1.18.33',
  stopHook: 'our plugin (experimental.text.complete, experimental.chat.messages.transform, session.idle)',
  ...PLUGIN_CAPABILITIES,
  manySessions: true,
  commands: 'files in command, answered by the plugin before a model is asked',
  notes: [
    'Its screen shows everything that the agent is sent back with. The first line is for you; the goal and the rules are repeated only after a compaction, a return, or when the loop makes no progress.',
    'Plain `opencode run` goes on because a turn of a loop is kept open until tireless has looked at it; two of the hooks that allow it are called experimental.',
    'In `opencode run` a command is the one argument, `opencode run \'/ralph "goal" --check "npm test"\'`, or has a flag of its own, and the goal comes on its standard input: `opencode run --command ralph`. With `--attach` (not measured) use the flag: the plugin knows an argument only inside of `opencode run`.',
    'When a loop ends, the turn is ended before the next request; in `opencode run` an empty answer, marked as stopped, may stay at the end of the conversation.',
    'In `opencode run` a turn that ends without a single word ends the program; the loop stays open and goes on with the session.',
    'The plugin waits 620 seconds for an answer, then the agent may stop. Without a loop it starts no process.',
    'Tokens are counted; cost is known where OpenCode knows the price of the model.',
    'Sessions of subagents are left alone.',
  ],
};
