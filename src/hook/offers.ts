import type { SessionStart } from '../core/event.ts';
import type { SessionRef } from '../core/loop.ts';
import { isEnded } from '../core/loop.ts';
import { activeElsewhereMs } from '../core/session-activity.ts';
import type { Loaded } from '../engine/ports.ts';
import type { Conflict } from '../engine/arm-loop.ts';
import { openLoopsInProject, sessionName } from '../engine/session-loops.ts';
import { durationText } from '../views/duration.ts';
import { oneLine } from '../views/printable.ts';
import { actionPhrases } from '../views/actions.ts';
import { stateSentence } from '../views/sentences.ts';
import { pauseActionsHere } from '../views/session-actions.ts';
import type { HookWorld } from './hook-world.ts';

const GOAL_CHARS_MAX = 120;
const OFFERS_MAX = 3;
/** An agent stops for a command that was typed while it worked, and a command answered without the model begins no new turn. */
export const IDLE_AGENT_HINT = 'If the agent is idle, write to it to continue';

/** A session that returns to its own loop: the agent gets the goal, and the user sees that it continues, or what it waits for. */
export function returnNotice({ spec, state }: Loaded, how: SessionStart, prefix: string): string | null {
  if (isEnded(state) || how === 'new') return null;
  if (how === 'compacted')
    return state.status === 'running'
      ? `tireless: the conversation was compacted, so the agent gets the goal of loop ${state.loop} again. ${IDLE_AGENT_HINT}`
      : null;
  const goal = oneLine(spec.goal, GOAL_CHARS_MAX);
  if (state.pause === null)
    return `tireless: loop ${state.loop} continues in this session (${goal}). ${prefix}ralph-status, ${prefix}cancel-ralph`;
  const actions = actionPhrases(pauseActionsHere(state.loop, state.pause, spec.typed === undefined ? null : prefix));
  return `tireless: loop ${state.loop} ${stateSentence({ spec, state })} (${goal}); ${actions.join('; ')}`;
}

/** If two programs both send the agent back, neither limit is enforced correctly. */
export function otherLoopNotice({ state }: Loaded, { what, end }: Conflict, prefix: string): string {
  return `tireless: ${what} also keeps this session going, beside loop ${state.loop}: each sends the agent back and counts the other's turns. End one of them: ${end}; or ${prefix}cancel-ralph`;
}

/** In the session that the user took a loop from, at its next event. `takeBack`: the command that undoes it. */
export function movedNotice({ state, spec }: Loaded, takeBack: string): string {
  const { loop, session } = state;
  const where =
    session === null
      ? 'out of this session: a fresh agent starts for each iteration'
      : `to the session ${sessionName(session)} of ${session.host}`;
  const back = session === null ? '' : `; take it back: ${takeBack}`;
  return `tireless: loop ${loop} (${oneLine(spec.goal, GOAL_CHARS_MAX)}) was taken ${where}. It no longer keeps this session going${back}`;
}

/**
 * A session begins in a project where a loop of another session is open (a crash, `/clear`, a new window): shows the user how to continue
 * it here. It is never taken over automatically, because the other session may be working on it.
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
  const lines = await Promise.all(
    open.map(async (loaded) => {
      const { state, spec } = loaded;
      const goal = oneLine(spec.goal, GOAL_CHARS_MAX);
      const activeMs = activeElsewhereMs(loaded, session, await services.sessionSigns(loaded, true));
      return activeMs === null
        ? `loop ${state.loop} is open (${goal}); continue it here: ${prefix}ralph --resume ${state.loop}`
        : `loop ${state.loop} is running in another session (${goal}; active ${durationText(activeMs)} ago)`;
    }),
  );
  return { kind: 'silent', notice: `tireless: ${lines.join('; ')}` };
}
