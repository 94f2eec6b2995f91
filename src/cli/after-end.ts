import { isEnded } from '../core/loop.ts';
import type { Loaded } from '../engine/ports.ts';
import { HOST_IDS } from '../hosts/host.ts';
import type { World } from './services.ts';

/**
 * A loop has ended: checks of it that still run are ended too, before anyone hears of the end. Hooks that were put into the settings for it
 * alone are taken out again; silent where nobody asked for that.
 */
export async function afterEnd({ spec, state }: Loaded, world: World): Promise<void> {
  if (!isEnded(state)) return;
  if (spec.driver === 'session') await world.services.endJobs(state.loop);
  const host = HOST_IDS.find((id) => id === state.session?.host);
  if (host === undefined || spec.dialect !== undefined) return;
  const { disarmOnDemand } = await import('../setup/settings/on-demand.ts');
  await disarmOnDemand(host, state.cwd, world);
}
