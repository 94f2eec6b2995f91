import { Fault } from '../../core/fault.ts';
import type { AgentSpec } from '../../core/loop.ts';
import type { Control, Loaded } from '../../engine/ports.ts';
import { HOST_IDS } from '../../hosts/host.ts';
import { HOSTS } from '../../hosts/hosts.ts';
import { abstainWords } from '../../views/sentences.ts';
import { say } from '../io.ts';
import { agentFrom } from '../spec-from-flags.ts';
import type { World } from '../services.ts';

type AgentFlags = Parameters<typeof agentFrom>[0];

/**
 * Who is to go on with a loop that lives in a session: an agent that was named; or, when the host itself will not go on with it, the
 * host's program without its screen. `null` = the session goes on.
 */
export function nextDriver({ spec, state }: Loaded, flags: AgentFlags): AgentSpec | null {
  if (spec.driver !== 'session') {
    if (flags.agent === undefined && flags['agent-command'] === undefined) return null;
    throw new Fault(
      'USAGE',
      `Cannot give loop ${state.loop} another agent: tireless already starts its agents. Leave out --agent and --agent-command.`,
    );
  }
  if (flags.agent !== undefined || flags['agent-command'] !== undefined) return agentFrom(flags);
  const { pause, session } = state;
  if (pause?.cause !== 'handed-over' && pause?.cause !== 'usage-limit') return null;
  const host = HOST_IDS.find((id) => id === session?.host);
  return host === undefined ? null : { kind: 'command', command: HOSTS[host].launch.command };
}

/** From here on the loop is an outer one, with the iterations, the time and the cost it has used. */
export async function handOver(found: Loaded, agent: AgentSpec, control: Control, world: World): Promise<Loaded> {
  const { loop } = found.state;
  const { decision, loaded = found } = await control.post(loop, { kind: 'driver-changed', agent });
  if (decision.kind !== 'record')
    throw new Fault(
      'LOOP_STATE',
      `Cannot take loop ${loop} out of its session: ${decision.kind === 'abstain' ? abstainWords(decision.because) : decision.kind}. Look at "tireless status ${loop}".`,
    );
  const how = agent.kind === 'command' ? agent.command : agent.name;
  say(world.stderr, `tireless: loop ${loop} leaves its session; each iteration starts: ${how}`);
  return loaded;
}
