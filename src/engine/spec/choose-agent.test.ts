import { describe, expect, it } from 'vitest';
import type { AgentFlags } from '../../cli/spec-options.ts';
import { agentOptions, TYPED_FLAGS } from '../../cli/spec-options.ts';
import type { AgentSpec } from '../../core/loop.ts';
import { HOST_IDS } from '../../hosts/ids.ts';
import { HOSTS } from '../../hosts/hosts.ts';
import { NAMED_AGENTS } from '../../runner/agents/registry.ts';
import { chooseAgent, requireReportedLimits } from './choose-agent.ts';

const agentOf = (flags: Partial<AgentFlags>): AgentSpec => chooseAgent(agentOptions(flags), TYPED_FLAGS);

describe('chooseAgent', () => {
  it('keeps the name of an agent whose stream is read, with its arguments', () => {
    expect(agentOf({ agent: 'codex' })).toEqual({ kind: 'named', name: 'codex' });
    expect(agentOf({ agent: 'claude-code', 'agent-args': ['--model opus', '"a b"'] })).toEqual({
      kind: 'named',
      name: 'claude-code',
      args: ['--model', 'opus', 'a b'],
    });
  });

  it('starts the other hosts by their command', () => {
    expect(agentOf({ agent: 'gemini' })).toEqual({
      kind: 'command',
      command: HOSTS.gemini.launch.command,
    });
  });

  it.each([
    [{ agent: 'claude' }, /no agent has that name\. Did you mean claude-code\? This version knows claude-code, codex/u],
    [{ agent: 'cluade-code' }, /Did you mean claude-code\?/u],
    [{ agent: 'mine' }, /This version knows claude-code, .*--agent-command mine\.$/u],
    [{ agent: 'my agent --go' }, /--agent-command 'my agent --go'\.$/u],
    [{ agent: 'codex', 'agent-command': 'x' }, /Cannot use both/u],
    [{}, /No agent was given.*--agent NAME/u],
    [{ 'agent-command': 'x', 'agent-args': ['-y'] }, /Write the arguments into the command/u],
    [{ agent: 'gemini', 'agent-args': ['-y'] }, /only claude-code and codex.*--agent-command 'gemini/u],
    [{ agent: 'codex', 'agent-args': ['"open'] }, /Cannot read --agent-args/u],
  ])('refuses %j', (given, message) => {
    expect(() => agentOf(given)).toThrow(message);
  });

  it('names those that the runner can read, and no other', () => {
    const names = HOST_IDS.filter((id) => agentOf({ agent: id }).kind === 'named');
    expect(names).toEqual(Object.keys(NAMED_AGENTS));
  });

  it('shows users the words with which a named agent is started', () => {
    for (const [name, agent] of Object.entries(NAMED_AGENTS))
      expect(HOSTS[name as keyof typeof NAMED_AGENTS].launch.command).toBe(agent.words([]).join(' '));
  });
});

describe('requireReportedLimits', () => {
  it.each([
    [{ agent: 'codex' }, { costMaxUsd: 5 }, /codex.*does not report what a turn costs.*--max-tokens/u],
    [{ agent: 'gemini' }, { costMaxUsd: 5 }, /gemini.*--max-iterations/u],
    [{ agent: 'gemini' }, { tokensMax: 5 }, /gemini.*does not report how many/u],
  ])('refuses for %j the limit %j', (given, limits, message) => {
    expect(() => requireReportedLimits(agentOf(given), limits, TYPED_FLAGS)).toThrow(message);
  });

  it.each([
    [{ agent: 'codex' }, { tokensMax: 5, costMaxUsd: 'unlimited' as const }],
    [{ agent: 'claude-code' }, { tokensMax: 5, costMaxUsd: 5 }],
    [{ 'agent-command': 'mine' }, { tokensMax: 5, costMaxUsd: 5 }],
    [{ agent: 'gemini' }, {}],
  ])('lets %j have %j', (given, limits) => {
    expect(() => requireReportedLimits(agentOf(given), limits, TYPED_FLAGS)).not.toThrow();
  });
});
