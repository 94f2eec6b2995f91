import { assert, Fault } from '../core/fault.ts';
import type { AgentSpec } from '../core/loop.ts';
import type { Agent } from '../engine/ports.ts';
import { commandAgent, type CommandAgentOptions } from './command-agent.ts';
import { demoAgentCommand } from './demo/demo-spec.ts';

export type AgentOptions = Omit<CommandAgentOptions, 'command'> & {
  /** The Node that runs us; the demo agent runs in it too. */
  readonly nodePath: string;
};

/** The agent a spec asks for. Throws a Fault when there is none by that name. */
export function agentFor(spec: AgentSpec | undefined, options: AgentOptions): Agent {
  assert(spec !== undefined, 'an outer loop names its agent');
  if (spec.kind === 'command') return commandAgent({ ...options, command: spec.command });
  if (spec.name === 'demo') return commandAgent({ ...options, command: demoAgentCommand(options.nodePath) });
  throw new Fault(
    'AGENT_NOT_FOUND',
    `There is no agent named "${spec.name}" in this version: named agents come with a later one. Use --agent-command with any command that reads a prompt on its standard input.`,
  );
}
