import type { SessionRef } from '../core/loop.ts';
import { shellWord } from '../core/shell-word.ts';
import type { Loaded } from '../engine/ports.ts';
import { HOSTS } from '../hosts/hosts.ts';
import { hostNamed } from '../hosts/ids.ts';
import { driverOf } from '../system/driver-process.ts';
import { printable } from '../views/printable.ts';
import type { SeenOfSession } from '../views/standstill.ts';
import type { World } from './services.ts';

/** What is known about the session of a loop: no hook reports a client that died, Esc, or some failed turns. Empty for other loops. */
export async function seenOf(loaded: Loaded, { services }: Pick<World, 'services'>): Promise<SeenOfSession> {
  const { status, session } = loaded.state;
  const isOpen = status === 'running' || status === 'pending';
  if (loaded.spec.driver !== 'session') return { isDriverAlive: driverOf(loaded.state)?.alive ?? null };
  if (session === null || !isOpen) return {};
  const { isAlive, idleCause, nowMs, workedMs, writtenMs } = await services.sessionSigns(loaded, false);
  return { isAlive, idleCause, nowMs, workedMs, writtenMs, ...reopenCommand(session) };
}

/** For several loops, in their order. */
export async function seenOfAll(
  loops: readonly Loaded[],
  world: Pick<World, 'services'>,
): Promise<readonly SeenOfSession[]> {
  return Promise.all(loops.map((loaded) => seenOf(loaded, world)));
}

/** What opens the session again; empty = that is not known of its host. */
function reopenCommand({ host, id }: SessionRef): Pick<SeenOfSession, 'reopen'> {
  const known = hostNamed(host);
  const before = known === undefined ? undefined : HOSTS[known].capabilities.reopen;
  return before === undefined ? {} : { reopen: `${before}${shellWord(printable(id))}` };
}
