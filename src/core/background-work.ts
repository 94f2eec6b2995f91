import type { CutReason } from './event.ts';
import type { Evidence } from './evidence.ts';
import type { State } from './loop.ts';
import type { Trouble } from './trouble.ts';

/** A build or a test run ends, and the host then wakes the agent. A server never ends, so after this long the stop is judged anyway. */
const WAIT_MS_MAX = 5 * 60 * 1000;
const TASKS_KEPT_MAX = 50;

type Background = Pick<Evidence, 'backgroundWork' | 'backgroundTasks' | 'outlasted'>;

/** Does the stop wait for work that the agent left in the background? Work that has outlasted the wait once delays no other stop. */
export function isHeldUp(
  { outlasted: known = [] }: Pick<State, 'outlasted'>,
  { backgroundWork, backgroundTasks = [], outlasted }: Background,
): boolean {
  if (backgroundWork !== true || outlasted === true) return false;
  return backgroundTasks.length === 0 || backgroundTasks.some((id) => !known.includes(id));
}

/** How long the hook of such a stop waits. The other half of its time is for the checks. */
export function backgroundWaitMs(hookLeftMs: number): number {
  return Math.max(0, Math.min(WAIT_MS_MAX, hookLeftMs / 2));
}

/** Remembers the work that outlasted the wait. */
export function outlastingWork(
  { outlasted: known = [] }: Pick<State, 'outlasted'>,
  { backgroundTasks = [], outlasted }: Background,
): Pick<State, 'outlasted'> {
  if (outlasted !== true || backgroundTasks.length === 0) return {};
  return { outlasted: [...new Set([...known, ...backgroundTasks])].slice(-TASKS_KEPT_MAX) };
}

/** For a turn that ended. `outlasted`: work in the background was still running. */
export function troubleOfTurn(cut: CutReason | undefined, outlasted: boolean): Trouble | null {
  if (cut !== undefined) return { code: cut };
  return outlasted ? { code: 'background-work' } : null;
}
