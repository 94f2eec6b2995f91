import type { Loop } from '../core/journal.ts';

/** The start time of a loop as in its file, so that a rewritten file does not become another loop. */
export function startTimeOf({ spec, state }: Loop): string {
  return spec.dialect?.identity?.startedAt ?? state.startedAt;
}
