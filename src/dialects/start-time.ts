import type { Loop } from '../core/journal.ts';

/** The start time of a loop as its file has it: the file of a loop that is written again is not another one. */
export function startTimeOf({ spec, state }: Loop): string {
  return spec.dialect?.identity?.startedAt ?? state.startedAt;
}
