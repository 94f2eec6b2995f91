import { agentTools, loopOfAgent } from '../agent-tools.ts';
import type { Command } from '../command.ts';
import { command } from '../command.ts';
import { text } from '../flags.ts';
import { PLAIN_EXIT_CODES } from '../help-page.ts';
import { requireNoWords } from '../loop-argument.ts';

const FLAGS = { loop: text('ID', 'the loop (default: $TIRELESS_LOOP, else the open loop of the session)') } as const;

export const mcp: Command = command({
  page: {
    name: 'mcp',
    synopsis: ['tireless mcp [--loop ID]'],
    about: [
      'A Model Context Protocol server on stdin and stdout, for the agent of a loop: the agent reads the goal, open criteria and limits, notes progress,',
      'asks for a person, and verifies its work before it stops. The server is bound to one loop, and cannot change spec, limits or approvals.',
    ],
    flags: { Options: FLAGS },
    examples: ['claude mcp add tireless -- tireless mcp'],
    notes: PLAIN_EXIT_CODES,
  },
  flags: FLAGS,
  run: async ({ words, values }, world) => {
    requireNoWords(words, 'mcp');
    // A named loop must exist; the loop of a session may still begin while this server runs.
    if (values.loop !== undefined) await loopOfAgent(world, values.loop);
    const tools = agentTools(() => loopOfAgent(world, values.loop), world);
    await world.services.serveMcp(tools);
    return 0;
  },
});
