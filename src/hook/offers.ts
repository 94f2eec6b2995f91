import type { SessionStart } from '../core/event.ts';
import type { SessionRef } from '../core/loop.ts';
import { isEnded } from '../core/loop.ts';
import type { Loaded } from '../engine/ports.ts';
import { openLoopsInProject } from '../engine/session-loops.ts';
import { oneLine } from '../views/printable.ts';
import { outcomeSentence, pauseAction } from '../views/sentences.ts';
import type { HookWorld } from './hook-world.ts';

const GOAL_CHARS_MAX = 120;
const OFFERS_MAX = 3;
/** An agent stops for a command that was typed while it worked, and a command that asks no model begins no turn after it. */
export const IDLE_AGENT_HINT = 'If the agent stands still, write to it, and it goes on';

/** A session that comes back to its own loop: the agent is told the goal, and the user that it goes on, or what it waits for. */
export function returnNotice({ spec, state }: Loaded, how: SessionStart, prefix: string): string | null {
  if (isEnded(state) || how === 'new') return null;
  if (how === 'compacted')
    return state.status === 'running'
      ? `tireless: the conversation was compacted, and the agent is told the goal of loop ${state.loop} again. ${IDLE_AGENT_HINT}`
      : null;
  const goal = oneLine(spec.goal, GOAL_CHARS_MAX);
  if (state.pause === null)
    return `tireless: loop ${state.loop} continues in this session (${goal}). ${prefix}ralph-status, ${prefix}cancel-ralph`;
  const actions = pauseAction(state.loop, state.pause).map((line) => line.replaceAll(/\s+/g, ' '));
  return `tireless: loop ${state.loop} is ${outcomeSentence({ spec, state })} (${goal}); ${actions.join('; ')}`;
}

/**
 * A session that begins in a project where a loop of another session stands open (a crash, `/clear`, a new window): the user is told how
 * to go on with it here. It is never taken over by itself: the other session may be at it.
 */
export async function offerOf(
  { session, cwd }: { readonly session: SessionRef; readonly cwd: string },
  prefix: string,
  { services }: HookWorld,
): Promise<{ readonly kind: 'silent'; readonly notice: string } | null> {
  const store = await services.store();
  const open = openLoopsInProject(session.host, cwd, store)
    .filter(({ spec }) => spec.dialect === undefined)
    .slice(-OFFERS_MAX);
  if (open.length === 0) return null;
  const lines = open.map(
    ({ state, spec }) =>
      `loop ${state.loop} is open (${oneLine(spec.goal, GOAL_CHARS_MAX)}); go on with it here: ${prefix}ralph --resume ${state.loop}`,
  );
  return { kind: 'silent', notice: `tireless: ${lines.join('; ')}` };
}
