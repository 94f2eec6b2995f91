import { isEnded } from '../core/loop.ts';
import type { Loaded } from '../engine/ports.ts';
import { HOST_IDS } from '../hosts/host.ts';
import type { World } from './services.ts';

/** A loop has ended: hooks that were put into the settings for it alone are taken out again. Silent where nobody asked for that. */
export async function afterEnd({ spec, state }: Loaded, world: World): Promise<void> {
  const host = HOST_IDS.find((id) => id === state.session?.host);
  if (host === undefined || spec.dialect !== undefined || !isEnded(state)) return;
  const { disarmOnDemand } = await import('./settings/on-demand.ts');
  await disarmOnDemand(host, state.cwd, world);
}
