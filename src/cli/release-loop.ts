import type { Loaded } from '../engine/ports.ts';
import { releaseIfEnded } from '../engine/release-loop.ts';
import type { World } from './services.ts';

/** The settings of hosts are loaded only when a loop of a session has ended. */
export async function releaseLoop(loaded: Loaded, world: World): Promise<void> {
  await releaseIfEnded(loaded, {
    endChecks: world.services.endJobs,
    removeHooks: async ({ host }, cwd) => {
      const { disarmOnDemand } = await import('../setup/settings/on-demand.ts');
      await disarmOnDemand(host, cwd, world);
    },
  });
}
