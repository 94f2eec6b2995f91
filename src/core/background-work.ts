import type { Cut } from './event.ts';
import type { Evidence } from './evidence.ts';
import type { State } from './loop.ts';
import type { Trouble } from './trouble.ts';

/** A build or a test run ends, and then the host wakes the agent. A server does not: after this long a stop is judged beside it. */
const WAIT_MS_MAX = 5 * 60 * 1000;
const TASKS_KEPT_MAX = 50;

type Background = Pick<Evidence, 'backgroundWork' | 'backgroundTasks' | 'outlasted'>;

/** Does the stop wait for work that the agent left in the background? Work that once outlasted the wait holds up no other stop. */
export function isHeldUp(
  { outlasted: known = [] }: Pick<State, 'outlasted'>,
  { backgroundWork, backgroundTasks = [], outlasted }: Background,
): boolean {
  if (backgroundWork !== true || outlasted === true) return false;
  return backgroundTasks.length === 0 || backgroundTasks.some((id) => !known.includes(id));
}

/** How long the hook of such a stop waits. The other half of its time is left to the checks. */
export function backgroundWaitMs(hookLeftMs: number): number {
  return Math.max(0, Math.min(WAIT_MS_MAX, hookLeftMs / 2));
}

/** What outlasted the wait is known from then on. */
export function outlastedAfter(
  { outlasted: known = [] }: Pick<State, 'outlasted'>,
  { backgroundTasks = [], outlasted }: Background,
): Pick<State, 'outlasted'> {
  if (outlasted !== true || backgroundTasks.length === 0) return {};
  return { outlasted: [...new Set([...known, ...backgroundTasks])].slice(-TASKS_KEPT_MAX) };
}

/** Of a turn that ended. `outlasted`: work in the background had not. */
export function troubleOfTurn(cut: Cut | undefined, outlasted: boolean): Trouble | null {
  if (cut !== undefined) return { code: cut };
  return outlasted ? { code: 'background-work' } : null;
}
