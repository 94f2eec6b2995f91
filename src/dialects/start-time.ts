import type { Loop } from '../core/journal.ts';

/** The start time of a loop as in its file: if the file is written again, it is not another loop. */
export function startTimeOf({ spec, state }: Loop): string {
  return spec.dialect?.identity?.startedAt ?? state.startedAt;
}
