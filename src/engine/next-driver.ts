import { Fault } from '../core/fault.ts';
import type { AgentSpec } from '../core/loop.ts';
import { FUNCTION_AGENT } from '../core/loop.ts';
import type { Loaded } from './ports.ts';

/**
 * Who continues a loop that belongs to a session: the named agent; or, if the host itself will not continue it, the host's program in
 * headless mode (`launchOf`). `null` = the session. Throws `USAGE` and `AGENT_NOT_FOUND`.
 */
export function nextDriver(
  { spec, state }: Loaded,
  named: AgentSpec | null,
  launchOf: (host: string) => AgentSpec | null,
): AgentSpec | null {
  if (spec.driver !== 'session') {
    if (spec.agent?.kind === 'named' && spec.agent.name === FUNCTION_AGENT)
      throw new Fault(
        'AGENT_NOT_FOUND',
        `Cannot continue loop ${state.loop}: its agent is a function of the program that started it. Start a new loop, or end this one with "tireless cancel ${state.loop}".`,
      );
    if (named === null) return null;
    throw new Fault(
      'USAGE',
      `Cannot give loop ${state.loop} another agent: tireless already starts its agents. Leave out --agent and --agent-command.`,
    );
  }
  if (named !== null) return named;
  const { pause, session } = state;
  if (pause?.cause !== 'handed-over' && pause?.cause !== 'usage-limit') return null;
  return session === null ? null : launchOf(session.host);
}
