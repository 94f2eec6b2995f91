import path from 'node:path';
import { Fault } from '../core/fault.ts';
import type { AgentSpec } from '../core/loop.ts';
import { DEMO_AGENT_SCRIPT } from '../engine/demo-agent.ts';
import { HOST_IDS } from '../hosts/ids.ts';
import { HOSTS } from '../hosts/hosts.ts';
import { readTextIfExists } from '../system/files.ts';
import { currentPlatform } from '../system/paths.ts';
import { findsProgram, projectRoot, realDirectory } from '../system/project.ts';
import { oneLine } from '../views/printable.ts';

/** The project a loop works in, as one real path, whichever link led there. */
export function projectDirectory(asked: string | undefined, cwd: string, otherwise = 'correct --cwd'): string {
  const wanted = path.resolve(cwd, asked ?? '.');
  const real = realDirectory(wanted);
  if (real !== undefined) return real;
  throw new Fault(
    'PROJECT_MISSING',
    `Cannot work in ${wanted}: there is no such directory. Create it, or ${otherwise}.`,
  );
}

/** Does a loop that works in a directory belong to the project in which a command was called? */
export function isInProjectOf(cwd: string): (directory: string) => boolean {
  const here = projectRoot(realDirectory(cwd) ?? cwd);
  return (directory) => projectRoot(directory) === here;
}

/** Run before a loop exists: an agent that cannot start would only use up the loop's faults. */
export function requireAgentProgram(agent: AgentSpec | undefined, project: string): void {
  if (agent?.kind === 'named' && agent.name === 'demo') requireDemoProject(project);
  const host = HOST_IDS.find((id) => agent?.kind === 'named' && id === agent.name);
  const command = agent?.kind === 'command' ? agent.command : host && HOSTS[host].launch.command;
  if (command === undefined || findsProgram(command, project, currentPlatform()) !== false) return;
  const word = command.trim().split(/\s/)[0] ?? '';
  const shown = agent?.kind === 'named' ? agent.name : `"${oneLine(command, 120)}"`;
  throw new Fault(
    'AGENT_NOT_FOUND',
    `Cannot start the agent ${shown}: there is no program "${word}" on the PATH. Install it, or give its full path in --agent-command.`,
  );
}

/** Its script is a file of the demo's own project. */
function requireDemoProject(project: string): void {
  if (readTextIfExists(path.join(project, DEMO_AGENT_SCRIPT)) !== undefined) return;
  throw new Fault(
    'AGENT_NOT_FOUND',
    `Cannot start the agent demo in ${project}: it can only fix the project of "tireless demo". Run "tireless demo" to watch it there; for your own project name an agent, such as --agent claude-code, or a command, such as --agent-command "my-agent".`,
  );
}
