import path from 'node:path';
import { Fault } from '../core/fault.ts';
import type { AgentSpec } from '../core/loop.ts';
import { oneLine } from '../views/printable.ts';
import { DEMO_AGENT_SCRIPT } from '../engine/demo-agent.ts';
import type { OptionSource } from '../engine/spec/options.ts';
import { readTextIfExists } from '../system/files.ts';
import { currentPlatform } from '../system/paths.ts';
import { findsProgram } from '../system/project.ts';

const COMMAND_CHARS_MAX = 120;

type AgentNames = Pick<OptionSource, 'agents' | 'nameOf' | 'written'>;

/** Called before a loop exists: an agent that cannot start would only use up the loop's faults. Throws `AGENT_NOT_FOUND`. */
export function requireAgentProgram(agent: AgentSpec | undefined, project: string, source: AgentNames): void {
  if (agent?.kind === 'named' && agent.name === 'demo') requireDemoProject(project, source);
  const command = agent?.kind === 'command' ? agent.command : agent && source.agents[agent.name]?.launch.command;
  if (command === undefined || findsProgram(command, project, currentPlatform()) !== false) return;
  const word = command.trim().split(/\s/)[0] ?? '';
  const shown = agent?.kind === 'named' ? agent.name : `"${oneLine(command, COMMAND_CHARS_MAX)}"`;
  // As a command, a named agent would open its user interface.
  const next =
    agent?.kind === 'named'
      ? 'Install it, or put its folder on the PATH'
      : `Install it, put its folder on the PATH, or give its full path in ${source.nameOf('agentCommand')}`;
  throw new Fault(
    'AGENT_NOT_FOUND',
    `Cannot start the agent ${shown}: there is no program "${word}" on the PATH. ${next}.`,
  );
}

/** The script of the demo agent is a file in the demo's own project. */
function requireDemoProject(project: string, { written }: AgentNames): void {
  if (readTextIfExists(path.join(project, DEMO_AGENT_SCRIPT)) !== undefined) return;
  throw new Fault(
    'AGENT_NOT_FOUND',
    `Cannot start the agent demo in ${project}: it can only fix the project of "tireless demo". Run "tireless demo" to watch it there; for your own project name an agent, such as ${written('agent', 'claude-code')}, or a command, such as ${written('agentCommand', 'my-agent')}.`,
  );
}
