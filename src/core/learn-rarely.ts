import type { Event } from './event.ts';
import { finishRuleOf } from './finish-rule.ts';
import type { Spec, State } from './loop.ts';
import { limitsWith } from './loop.ts';

/** Changes that a person makes outside a turn. The hook of a stop loads this only for them. */

export function learnResume(state: State, event: Event & { kind: 'resume-requested' }): State {
  const { waitedOutInRow: _, ...rest } = state;
  return {
    ...rest,
    limits: limitsWith(state.limits, event.limits),
    counted: event.counted ?? state.counted,
    faultsInRow: 0,
    progress: { ...state.progress, stalledHalves: 0 },
    ...(state.baseline === null ? { status: 'pending' as const, pause: null } : {}),
  };
}

export function learnEdit(spec: Spec, state: State, event: Event & { kind: 'file-edited' }): State {
  return {
    ...state,
    edits: { ...state.edits, ...event.edits },
    limits: limitsWith(state.limits, event.limits),
    // A lower count would have started another loop (`relationOfFile`), so here it is a mistake by the agent, who gains no iterations from
    // it.
    counted: Math.max(state.counted, event.counted),
    finish: state.baseline === null ? null : finishRuleOf({ ...spec, ...event.edits }, state.baseline),
  };
}
