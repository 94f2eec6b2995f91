import { describe, expect, it } from 'vitest';
import { aProject } from '../../test/support/a-project.ts';
import { faultOf } from '../../test/support/fault-of.ts';
import { TYPED_FLAGS } from '../cli/spec-options.ts';
import { requireAgentProgram } from './agent-program.ts';

describe('requireAgentProgram', () => {
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
