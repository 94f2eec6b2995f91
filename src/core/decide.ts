import { decideOther } from './decide-other.ts';
import { decideTurnEnded } from './decide-turn.ts';
import type { Decision } from './decision.ts';
import type { Event } from './event.ts';
import type { Evidence } from './evidence.ts';
import type { Spec, State } from './loop.ts';
import { isEnded } from './loop.ts';

/**
 * The one place where a loop's fate is decided: pure and total. The rules are in order of authority. An event that the loop is not
 * waiting for gets `abstain`, which changes nothing.
 */
export function decide(spec: Spec, state: State, event: Event, evidence: Evidence): Decision {
  if (event.kind !== 'turn-ended') return decideOther(spec, state, event, evidence);
  if (state.status === 'running') return decideTurnEnded(spec, state, event, evidence);
  return { kind: 'abstain', because: isEnded(state) ? 'ended' : 'not-running' };
}
