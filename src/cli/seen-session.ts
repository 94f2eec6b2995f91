import type { Loaded } from '../engine/ports.ts';
import type { SeenOfSession } from '../views/standstill.ts';
import type { World } from './services.ts';

/** What shows of the session of a loop: a client that died, Esc and some failed turns are reported by no hook. Nothing of other loops. */
export async function seenOf(loaded: Loaded, { services }: Pick<World, 'services'>): Promise<SeenOfSession> {
  const { status, session } = loaded.state;
  const isOpen = status === 'running' || status === 'pending';
  if (loaded.spec.driver !== 'session' || session === null || !isOpen) return {};
  const { isAlive, idleCause, nowMs } = await services.sessionSigns(loaded, false);
  return { isAlive, idleCause, nowMs };
}

/** The same for several, in their order. */
export async function seenOfAll(
  loops: readonly Loaded[],
  world: Pick<World, 'services'>,
): Promise<readonly SeenOfSession[]> {
  return Promise.all(loops.map((loaded) => seenOf(loaded, world)));
}
