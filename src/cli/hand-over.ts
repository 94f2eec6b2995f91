import { Fault } from '../core/fault.ts';
import type { AgentSpec } from '../core/loop.ts';
import { nextDriver } from '../engine/next-driver.ts';
import type { Control, Loaded } from '../engine/ports.ts';
import type { Takeover } from '../engine/takeover-signs.ts';
import { originOfTakeover, workBefore } from '../engine/takeover-signs.ts';
import { refuseActive } from '../engine/session-loops.ts';
import { chooseAgent, knownAgent } from '../engine/spec/choose-agent.ts';
import { HOSTS } from '../hosts/hosts.ts';
import { abstainWords } from '../views/sentences.ts';
import { say } from './io.ts';
import type { AgentFlags } from './spec-options.ts';
import { agentOptions, TYPED_FLAGS } from './spec-options.ts';
import type { World } from './services.ts';

/** The agent that continues a loop outside its session; `null` = the session continues it. */
export function nextAgent(found: Loaded, flags: AgentFlags): AgentSpec | null {
  const isNamed = flags.agent !== undefined || flags['agent-command'] !== undefined || flags['agent-args'].length > 0;
  const agent = isNamed ? chooseAgent(agentOptions(flags), TYPED_FLAGS) : null;
  return nextDriver(found, agent, (name) => knownAgent(name, HOSTS));
}

/** From here on a worker drives the loop, with the iterations, time and cost that it has already used. */
export async function handOver(
  found: Loaded,
  agent: AgentSpec,
  { control, takeover }: { readonly control: Control; readonly takeover: Takeover },
  world: World,
): Promise<Loaded> {
  const { loop } = found.state;
  refuseActive(found, takeover);
  const { decision, loaded = found } = await control.post(
    loop,
    { kind: 'driver-changed', agent, ...originOfTakeover(found, takeover) },
    workBefore(takeover),
  );
  if (decision.kind !== 'record')
    throw new Fault(
      'LOOP_STATE',
      `Cannot take loop ${loop} out of its session: ${decision.kind === 'abstain' ? abstainWords(decision.because) : decision.kind}. Look at "tireless status ${loop}".`,
    );
  const how = agent.kind === 'command' ? agent.command : agent.name;
  say(world.stderr, `tireless: loop ${loop} leaves its session; each iteration starts: ${how}`);
  return loaded;
}
