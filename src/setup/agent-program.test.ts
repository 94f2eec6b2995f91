import { describe, expect, it, vi } from 'vitest';
import { aProject } from '../../test/support/a-project.ts';
import { faultOf } from '../../test/support/fault-of.ts';
import { TYPED_FLAGS } from '../cli/spec-options.ts';
import { requireAgentProgram } from './agent-program.ts';

describe('requireAgentProgram', () => {
  it.each([
    [
      { kind: 'named', name: 'claude-code' } as const,
      /no program "claude" on the PATH\. Install it, or put its folder/u,
    ],
    [
      { kind: 'command', command: 'nope -p' } as const,
      /put its folder on the PATH, or give its full path in --agent-c/u,
    ],
  ])('says what to do about a program that is missing: %j', (agent, message) => {
    vi.stubEnv('PATH', aProject());
    expect(() => requireAgentProgram(agent, aProject(), TYPED_FLAGS)).toThrowError(message);
    vi.unstubAllEnvs();
  });

  it('lets the agent of the demo work in the project of the demo only', () => {
    const agent = { kind: 'named', name: 'demo' } as const;
    const project = aProject();
    const fault = faultOf(() => requireAgentProgram(agent, project, TYPED_FLAGS));
    expect(fault).toMatchObject({
      code: 'AGENT_NOT_FOUND',
      message: expect.stringContaining('"tireless demo"') as string,
    });
    expect(() => requireAgentProgram(agent, aProject({ '.demo/agent.mjs': '' }), TYPED_FLAGS)).not.toThrow();
  });
});
