import type { Loaded } from '../engine/ports.ts';
import { hasHoldouts, withoutHoldouts } from '../views/hide-holdouts.ts';
import type { World } from './services.ts';

/** Must the hold-outs of these loops be hidden from the caller? The caller is looked up only if there are hold-outs, so other loops cost nothing. */
export async function mustHideHoldouts(loops: readonly Loaded[], { services }: World): Promise<boolean> {
  return loops.some(hasHoldouts) && ((await services.agentCaller()) ?? (await services.placedCaller())) !== null;
}

/** The loops as the caller may see them. */
export async function shownLoops(loops: readonly Loaded[], world: World): Promise<readonly Loaded[]> {
  return (await mustHideHoldouts(loops, world)) ? loops.map(withoutHoldouts) : loops;
}
