import { Fault } from '../core/fault.ts';
import type { AgentSpec, Limits } from '../core/loop.ts';
import { shellWord } from '../core/shell-word.ts';
import type { HostId } from '../hosts/ids.ts';
import { HOST_IDS } from '../hosts/ids.ts';
import { HOSTS } from '../hosts/hosts.ts';
import { splitWords } from '../system/shell-line.ts';
import { didYouMean } from '../views/nearest-word.ts';
import { oneLine } from '../views/printable.ts';
import type { RunFlags } from './loop-flags.ts';

export type AgentFlags = Pick<RunFlags, 'agent' | 'agent-command' | 'agent-args'>;

/** `demo` works only in the demo's own project, so it is never suggested. */
const NAMES: readonly string[] = HOST_IDS;
const NAME_CHARS_MAX = 60;

/** The agent that was typed. Throws `USAGE`. */
export function agentFromFlags(flags: AgentFlags): AgentSpec {
  const { agent: name, 'agent-command': command } = flags;
  const args = flags['agent-args'].flatMap((text) => splitWords(text, '--agent-args'));
  if (command !== undefined && name !== undefined)
    throw new Fault('USAGE', 'Cannot use both --agent and --agent-command. Give one.');
  if (command !== undefined && command.trim() !== '') {
    if (args.length > 0)
      throw new Fault('USAGE', 'Cannot use --agent-args with --agent-command. Write the arguments into the command.');
    return { kind: 'command', command };
  }
  if (name === undefined)
    throw new Fault(
      'USAGE',
      'No agent was given. Add --agent NAME for one that tireless knows, or --agent-command CMD, where CMD is any command that reads its prompt on stdin.',
    );
  const host = HOST_IDS.find((id) => id === name);
  const agent: AgentSpec | null =
    name === 'demo' ? { kind: 'named', name } : host === undefined ? null : agentOfHost(host);
  if (agent === null) throw unknownAgent(name);
  if (args.length === 0) return agent;
  if (agent.kind === 'named' && name !== 'demo') return { ...agent, args };
  const line = agent.kind === 'command' ? agent.command : name;
  throw new Fault(
    'USAGE',
    `Cannot use --agent-args with --agent ${name}: only ${HOST_IDS.filter(isStreamed).join(' and ')} take them. Write the whole command instead: --agent-command "${line} …".`,
  );
}

/** A host without its user interface. */
export function agentOfHost(host: HostId): AgentSpec {
  return isStreamed(host) ? { kind: 'named', name: host } : { kind: 'command', command: HOSTS[host].launch.command };
}

function isStreamed(host: HostId): boolean {
  return HOSTS[host].launch.tells !== undefined;
}

function unknownAgent(name: string): Fault {
  return new Fault(
    'USAGE',
    `Cannot use "${oneLine(name, NAME_CHARS_MAX)}" for --agent: no agent has that name.${didYouMean(name, NAMES)} This version knows ${NAMES.join(', ')}. Start any other agent with --agent-command, such as --agent-command ${shellWord(name)}.`,
  );
}

/** Refuses a limit that cannot be watched, before anything is spent. Whether a command reports its usage is known only after its first turn. */
export function requireToldLimits(agent: AgentSpec, limits: Partial<Pick<Limits, 'costMaxUsd' | 'tokensMax'>>): void {
  const { name, tells } = toldBy(agent);
  if (isSet(limits.costMaxUsd) && !tells.cost)
    throw new Fault(
      'USAGE',
      `Cannot limit the cost of ${name}: it does not report what a turn costs. ${tells.tokens ? 'Use --max-tokens instead' : 'Leave out --max-cost, and use --max-iterations or --max-duration'}. If a configuration file sets it, add --max-cost unlimited.`,
    );
  if (isSet(limits.tokensMax) && !tells.tokens)
    throw new Fault(
      'USAGE',
      `Cannot limit the tokens of ${name}: it does not report how many a turn used. Leave out --max-tokens, and use --max-iterations or --max-duration. If a configuration file sets it, add --max-tokens unlimited.`,
    );
}

function isSet(limit: Limits['costMaxUsd'] | undefined): boolean {
  return limit !== undefined && limit !== 'unlimited';
}

type Told = { readonly name: string; readonly tells: { readonly cost: boolean; readonly tokens: boolean } };

function toldBy(agent: AgentSpec): Told {
  const host = HOST_IDS.find((id) =>
    agent.kind === 'named' ? id === agent.name : HOSTS[id].launch.command === agent.command,
  );
  if (agent.kind === 'command' && host === undefined)
    return { name: 'the command', tells: { cost: true, tokens: true } };
  const tells = host === undefined ? undefined : HOSTS[host].launch.tells;
  return {
    name: host ?? (agent.kind === 'named' ? agent.name : 'the command'),
    tells: agent.kind === 'named' && tells !== undefined ? tells : { cost: false, tokens: false },
  };
}
