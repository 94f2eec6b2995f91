import type { Loaded } from '../engine/ports.ts';
import { hasHoldouts, withoutHoldouts } from '../views/hide-holdouts.ts';
import type { World } from './services.ts';

/** May the caller see the hold-outs of these loops? Asked only where there are some: whoever looks at others pays nothing. */
export async function mustHideHoldouts(loops: readonly Loaded[], { services }: World): Promise<boolean> {
  return loops.some(hasHoldouts) && (await services.agentCaller()) !== null;
}

/** The loops as the caller may see them. */
export async function shownLoops(loops: readonly Loaded[], world: World): Promise<readonly Loaded[]> {
  return (await mustHideHoldouts(loops, world)) ? loops.map(withoutHoldouts) : loops;
}
