import type { HostCapabilities } from '../capabilities.ts';
import { PLUGIN_CAPABILITIES } from '../plugin-capabilities.ts';

export const capabilities: HostCapabilities = {
  title: 'pi',
  reopen: 'pi --session ',
  measured: '0.87.1',
  stopHook: 'our extension (agent_before_settle)',
  ...PLUGIN_CAPABILITIES,
  agentVariables: ['PI_SESSION_ID'],
  commands: 'registered by the extension; in print mode, read from the prompt',
  notes: [
    'Its screen shows the whole text that sends the agent back. The first line is for you; the goal and the rules are repeated only after a compaction, a return, or when the loop makes no progress.',
    'Needs Node 22.19. Version 0.74, which npm installs on Node 20, cannot continue in print mode.',
    'The extension waits 620 seconds for an answer, then the agent may stop. Without a loop it starts no process.',
    'Cost is known where pi knows the price of the model.',
  ],
};
