import { Fault } from '../core/fault.ts';
import type { AgentSpec } from '../core/loop.ts';
import type { Loaded } from './ports.ts';

/**
 * Who continues a loop that belongs to a session: the named agent; or, if the host itself will not continue it, the host's program in
 * headless mode (`launchOf`). `null` = the session continues it. Throws `USAGE`.
 */
export function nextDriver(
  { spec, state }: Loaded,
  named: AgentSpec | null,
  launchOf: (host: string) => AgentSpec | null,
): AgentSpec | null {
  if (spec.driver !== 'session') {
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
