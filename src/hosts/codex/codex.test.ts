import { expect, it } from 'vitest';
import { HOST_ENVIRONMENT } from '../../../test/support/host-environment.ts';
import { host } from './host.ts';

function toolEvent(tool_name: string, tool_input: unknown): unknown {
  const payload = { hook_event_name: 'PreToolUse', session_id: 's', cwd: '/project', tool_name, tool_input };
  const decoded = host.decode(payload, HOST_ENVIRONMENT);
  return decoded === 'not-ours' ? decoded : decoded.event;
}

it('knows the tool with which the agent tells its goal that it is complete', () => {
  expect(toolEvent('update_goal', { status: 'complete' })).toMatchObject({ saysGoalMet: true });
  expect(toolEvent('update_goal', { status: 'blocked' })).not.toHaveProperty('saysGoalMet');
  expect(toolEvent('update_goal', null)).not.toHaveProperty('saysGoalMet');
  expect(toolEvent('shell', { status: 'complete' })).not.toHaveProperty('saysGoalMet');
});
