import type { SessionRef } from '../../core/loop.ts';
import { isFault } from '../../core/fault.ts';
import { hostNamed } from '../../hosts/ids.ts';
import { HOSTS } from '../../hosts/hosts.ts';
import type { SetupWorld } from '../setup-world.ts';
import { hasPlugin, lookAt } from './examination-look.ts';
import { recordsFor } from './examine-host.ts';

/** Will a stop of this session reach us at all? Called before a user waits for something that never happens; `doctor` reports the reason. */
export function hasHooks({ host }: SessionRef, project: string, world: SetupWorld): boolean {
  const id = hostNamed(host);
  if (id === undefined) return true;
  try {
    if (recordsFor(id, project, world).length > 0 || hasPlugin(id, project, world)) return true;
    // Hooks that were added by hand.
    return HOSTS[id].examination?.hasOwnHooks?.(lookAt(id, project, world)) === true;
  } catch (error) {
    if (isFault(error)) return true;
    throw error;
  }
}
