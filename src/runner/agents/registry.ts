import { assert, Fault } from '../../core/fault.ts';
import type { AgentSpec } from '../../core/loop.ts';
import type { Agent } from '../../engine/ports.ts';
import { currentPlatform } from '../../system/paths.ts';
import { shellLine } from '../../system/shell-line.ts';
import { demoAgentCommand } from '../demo/demo-spec.ts';
import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';
import { commandAgent } from './command.ts';
import type { NamedAgent } from './named-agent.ts';
import { processAgent, type AgentOptions } from './process-agent.ts';

/** The agents that tireless reads better than a plain command. */
export type AgentName = 'claude-code' | 'codex';

export const NAMED_AGENTS: Readonly<Record<AgentName, NamedAgent>> = { 'claude-code': claudeCode, codex };

function isAgentName(name: string): name is AgentName {
  return Object.hasOwn(NAMED_AGENTS, name);
}

/** The agent that a spec requests. Throws a Fault if there is none with that name. */
export function agentFor(
  spec: AgentSpec | undefined,
  options: AgentOptions & {
    /** The Node that runs us; the demo agent runs in it too. */
    readonly nodePath: string;
  },
): Agent {
  assert(spec !== undefined, 'an outer loop names its agent');
  if (spec.kind === 'command') return commandAgent({ ...options, command: spec.command });
  if (spec.name === 'demo') return commandAgent({ ...options, command: demoAgentCommand(options.nodePath) });
  if (isAgentName(spec.name)) {
    const { words, reader } = NAMED_AGENTS[spec.name];
    const command = shellLine(words(spec.args ?? []), currentPlatform());
    return processAgent({ name: spec.name, command, reader }, options);
  }
  throw new Fault(
    'AGENT_NOT_FOUND',
    `There is no agent named "${spec.name}" in this version. It knows ${Object.keys(NAMED_AGENTS).join(', ')}; use --agent-command with any command that reads a prompt on its standard input.`,
  );
}
