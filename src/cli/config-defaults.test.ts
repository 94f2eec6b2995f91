import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../core/loop.ts';
import type { RepositoryConfig } from '../engine/repository-policy.ts';
import { checksIn, limitsIn, timingIn, withDefaults } from './config-defaults.ts';
import { parseFlags } from './flags.ts';
import { RUN_FLAGS } from './loop-flags.ts';

const flags = (...args: string[]) => parseFlags(RUN_FLAGS, args).values;
const config = (given: Partial<RepositoryConfig>): RepositoryConfig => ({
  file: '/f',
  content: '',
  checks: [],
  protect: [],
  limits: {},
  ...given,
});
const check = (name: string) => ({
  name,
  probe: { kind: 'git-clean' as const },
  timeoutMs: 1,
  holdout: false,
});

describe('defaults', () => {
  it('name the agent: typed, else of the project, else of the user', () => {
    const project = config({ agent: { name: 'codex', args: ['-m', 'x'] } });
    const user = config({ agent: { command: 'mine' } });
    const agentOf = (args: string[], configs: Parameters<typeof withDefaults>[1]) => {
      const { agent, 'agent-command': command, 'agent-args': more } = withDefaults(flags(...args), configs);
      return [agent, command, ...more];
    };
    expect(agentOf([], { project, user })).toEqual(['codex', undefined, '-m', 'x']);
    expect(agentOf([], { project: null, user })).toEqual([undefined, 'mine']);
    expect(agentOf(['--agent-command', 'typed'], { project, user })).toEqual([undefined, 'typed']);
    expect(agentOf(['--agent', 'codex'], { project, user })).toEqual(['codex', undefined, '-m', 'x']);
    expect(agentOf(['--agent', 'codex', '--agent-args', 'y'], { project, user })).toEqual(['codex', undefined, 'y']);
    expect(agentOf(['--agent', 'claude-code'], { project, user })).toEqual(['claude-code', undefined]);
  });

  it('hold the limits of the user, which a template may change and a project may only lower', () => {
    const user = config({ limits: { iterationsMax: 50, costMaxUsd: 5 } });
    const project = config({ limits: { iterationsMax: 80, costMaxUsd: 2, tokensMax: 9 } });
    expect(limitsIn({ project: null, user: null }, undefined)).toEqual(DEFAULT_LIMITS);
    expect(limitsIn({ project: null, user }, 30)).toMatchObject({ iterationsMax: 30, costMaxUsd: 5 });
    expect(limitsIn({ project, user }, undefined)).toMatchObject({ iterationsMax: 50, costMaxUsd: 2, tokensMax: 9 });
  });

  it('hold times for agents that tireless starts, and none for a session', () => {
    const user = config({ timing: { idleTimeoutMs: 5000, iterationTimeoutMs: 9000 } });
    const project = config({ timing: { idleTimeoutMs: 8000, iterationTimeoutMs: 1000 } });
    expect(timingIn({ project, user }, 'outer')).toMatchObject({ idleTimeoutMs: 5000, iterationTimeoutMs: 1000 });
    expect(timingIn({ project, user }, 'session').iterationTimeoutMs).toBeGreaterThan(9000);
  });

  it('add the checks of the project to those typed, and take those of the user where nobody names any', () => {
    const project = config({ checks: [check('p')] });
    const user = config({ checks: [check('u')] });
    const names = (args: string[], configs: Parameters<typeof checksIn>[1]) =>
      checksIn(flags(...args), configs).map(({ name }) => name);
    expect(names([], { project, user })).toEqual(['p']);
    expect(names([], { project: null, user })).toEqual(['u']);
    expect(names(['--check', 'true'], { project: null, user })).toEqual([]);
    expect(names(['--check', 'true'], { project, user })).toEqual(['p']);
  });

  it('hold what finishes a loop; what is typed wins', () => {
    const user = config({ finish: { claim: ['U'], approve: true } });
    const project = config({ finish: { claim: ['P'], requireVerified: true } });
    expect(withDefaults(flags(), { project, user })).toMatchObject({
      claim: ['P'],
      'approve-finish': true,
      'require-verified': true,
    });
    expect(withDefaults(flags('--claim', 'T'), { project, user }).claim).toEqual(['T']);
  });
});
