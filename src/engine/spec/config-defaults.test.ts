import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../core/loop.ts';
import type { RepositoryConfig } from '../repository-policy.ts';
import type { Configs } from './config-defaults.ts';
import { agentWithDefaults, checksIn, limitsIn, requiresVerified, timingIn, withDefaults } from './config-defaults.ts';
import type { AgentOptions } from './options.ts';

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
    const agentOf = (typed: AgentOptions, configs: Configs) => {
      const { name, command, args = [] } = agentWithDefaults(typed, configs);
      return [name, command, ...args];
    };
    expect(agentOf({}, { project, user })).toEqual(['codex', undefined, '-m', 'x']);
    expect(agentOf({}, { project: null, user })).toEqual([undefined, 'mine']);
    expect(agentOf({ command: 'typed' }, { project, user })).toEqual([undefined, 'typed']);
    expect(agentOf({ name: 'codex' }, { project, user })).toEqual(['codex', undefined, '-m', 'x']);
    expect(agentOf({ name: 'codex', args: ['y'] }, { project, user })).toEqual(['codex', undefined, 'y']);
    expect(agentOf({ name: 'claude-code' }, { project, user })).toEqual(['claude-code', undefined]);
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
    const names = (configs: Configs, ...typed: string[]) => checksIn(configs, typed.map(check)).map(({ name }) => name);
    expect(names({ project, user })).toEqual(['p']);
    expect(names({ project: null, user })).toEqual(['u']);
    expect(names({ project: null, user }, 'true')).toEqual([]);
    expect(names({ project, user }, 'true')).toEqual(['p']);
  });

  it('hold what finishes a loop; what is typed wins', () => {
    const user = config({ finish: { claim: ['U'], approve: true } });
    const project = config({ finish: { claim: ['P'], requireVerified: true } });
    expect(withDefaults({}, { project, user })).toMatchObject({ claims: ['P'], approveFinish: true });
    expect([requiresVerified({ project, user }), requiresVerified({ project: null, user })]).toEqual([true, false]);
    expect(withDefaults({ claims: ['T'] }, { project, user }).claims).toEqual(['T']);
  });
});
