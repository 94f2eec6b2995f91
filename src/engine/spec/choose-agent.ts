import { Fault } from '../../core/fault.ts';
import type { AgentSpec, Limits } from '../../core/loop.ts';
import { didYouMean } from '../../views/nearest-word.ts';
import { oneLine, PATH_CHARS_MAX } from '../../views/printable.ts';
import type { AgentOptions, KnownAgents, OptionSource } from './options.ts';

const NAME_CHARS_MAX = 60;
/** Works only in the demo's own project, so it is never suggested. */
const DEMO = 'demo';

/** The agent that was requested. Throws `USAGE`. */
export function chooseAgent({ name, command, args = [], file }: AgentOptions, source: OptionSource): AgentSpec {
  const { nameOf, written, agents } = source;
  if (command !== undefined && name !== undefined)
    throw new Fault('USAGE', `Cannot use both ${nameOf('agent')} and ${nameOf('agentCommand')}. Give one.`);
  if (command !== undefined && command.trim() !== '') {
    if (args.length > 0)
      throw new Fault(
        'USAGE',
        `Cannot use ${nameOf('agentArgs')} with ${nameOf('agentCommand')}. Write the arguments into the command.`,
      );
    return { kind: 'command', command };
  }
  if (name === undefined && command !== undefined)
    throw new Fault(
      'USAGE',
      `Cannot use an empty ${nameOf('agentCommand')}: give a command that reads its prompt on stdin.`,
    );
  if (name === undefined)
    throw new Fault(
      'USAGE',
      `No agent was given. Add ${written('agent', 'NAME')} for one that tireless knows, or ${written('agentCommand', 'CMD')}, where CMD is any command that reads its prompt on stdin.`,
    );
  const agent: AgentSpec | null = name === DEMO ? { kind: 'named', name } : knownAgent(name, agents);
  if (agent === null) throw unknownAgent(name, file, source);
  if (args.length === 0) return agent;
  if (agent.kind === 'named' && name !== DEMO) return { ...agent, args };
  const line = agent.kind === 'command' ? agent.command : name;
  const takers = Object.keys(agents).filter((each) => isStreamed(each, agents));
  throw new Fault(
    'USAGE',
    `Cannot use ${nameOf('agentArgs')} with the agent ${name}: only ${takers.join(' and ')} take them. Write the whole command instead: ${written('agentCommand', `${line} …`)}.`,
  );
}

/** A host without its user interface; `null` = no known agent has this name. */
export function knownAgent(name: string, agents: KnownAgents): AgentSpec | null {
  const known = Object.hasOwn(agents, name) ? agents[name] : undefined;
  if (known === undefined) return null;
  return isStreamed(name, agents) ? { kind: 'named', name } : { kind: 'command', command: known.launch.command };
}

function isStreamed(name: string, agents: KnownAgents): boolean {
  return agents[name]?.launch.reportsUsage !== undefined;
}

function unknownAgent(name: string, file: string | undefined, { nameOf, written, agents }: OptionSource): Fault {
  const names = Object.keys(agents);
  const close = didYouMean(name, names);
  // The program of a known agent opens its user interface: as a command it would not read a prompt.
  const other = close === '' ? ` Start any other agent by its command, such as ${written('agentCommand', name)}.` : '';
  const where = file === undefined ? nameOf('agent') : `"agent" in ${oneLine(file, PATH_CHARS_MAX)}`;
  return new Fault(
    'USAGE',
    `Cannot use "${oneLine(name, NAME_CHARS_MAX)}" for ${where}: no agent has that name.${close} This version knows ${names.join(', ')}.${other}`,
  );
}

/** Refuses a limit that cannot be enforced, before anything is spent. Whether a command reports its usage is known only after its first turn. */
export function requireReportedLimits(
  agent: AgentSpec,
  limits: Partial<Pick<Limits, 'costMaxUsd' | 'tokensMax'>>,
  source: OptionSource,
): void {
  const { nameOf } = source;
  const { name, reportsUsage } = usageReportedBy(agent, source.agents);
  const others = `use ${nameOf('iterationsMax')} or ${nameOf('durationMaxMs')}`;
  if (isSet(limits.costMaxUsd) && !reportsUsage.cost)
    throw new Fault(
      'USAGE',
      `Cannot limit the cost of ${name}: it does not report what a turn costs. ${reportsUsage.tokens ? `Use ${nameOf('tokensMax')} instead` : `Leave out ${nameOf('costMaxUsd')}, and ${others}`}.${ifConfigured('costMaxUsd', source)}`,
    );
  if (isSet(limits.tokensMax) && !reportsUsage.tokens)
    throw new Fault(
      'USAGE',
      `Cannot limit the tokens of ${name}: it does not report how many a turn used. Leave out ${nameOf('tokensMax')}, and ${others}.${ifConfigured('tokensMax', source)}`,
    );
}

function ifConfigured(limit: keyof Limits, { readsConfig, written }: OptionSource): string {
  return readsConfig ? ` If a configuration file sets it, add ${written(limit, 'unlimited')}.` : '';
}

function isSet(limit: Limits['costMaxUsd'] | undefined): boolean {
  return limit !== undefined && limit !== 'unlimited';
}

type ReportedUsage = {
  readonly name: string;
  readonly reportsUsage: { readonly cost: boolean; readonly tokens: boolean };
};

function usageReportedBy(agent: AgentSpec, agents: KnownAgents): ReportedUsage {
  const [name, known] =
    Object.entries(agents).find(([each, { launch }]) =>
      agent.kind === 'named' ? each === agent.name : launch.command === agent.command,
    ) ?? [];
  if (agent.kind === 'command' && known === undefined)
    return { name: 'the command', reportsUsage: { cost: true, tokens: true } };
  const reportsUsage = known?.launch.reportsUsage;
  return {
    name: name ?? (agent.kind === 'named' ? agent.name : 'the command'),
    reportsUsage: agent.kind === 'named' && reportsUsage !== undefined ? reportsUsage : { cost: false, tokens: false },
  };
}
