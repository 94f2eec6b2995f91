import { Fault } from '../core/fault.ts';
import { isEnded } from '../core/loop.ts';
import type { Loaded } from '../engine/ports.ts';
import { outcomeSentence } from '../views/sentences.ts';

/** What an approval would answer; a loop that asks nothing cannot be answered. */
export function approvalRequestOf({ state }: Loaded): string {
  const request = state.pause?.request;
  if (request !== undefined) return request;
  throw new Fault(
    'LOOP_STATE',
    `Loop ${state.loop} waits for no approval: it is ${outcomeSentence(state)}. Look at "tireless status ${state.loop}".`,
  );
}

export function linesAfterAnswer({ state }: Loaded): readonly string[] {
  if (isEnded(state)) return [`loop ${state.loop}: ${outcomeSentence(state)}`];
  return [`noted; go on with: tireless resume ${state.loop}`];
}
