import type { ActivityLine } from '../core/activity-line.ts';
import type { AgentActivity } from '../engine/ports.ts';
import type { Drive } from './drive-context.ts';

/** The log is for people, so only this much is recorded even if an agent prints a gigabyte. */
export const CHARS_PER_ITERATION_MAX: number = 1024 * 1024;

export function activityRecorder(
  drive: { readonly clock: Pick<Drive['clock'], 'read'>; readonly activity: Drive['activity'] },
  { iteration, rerun }: { readonly iteration: number; readonly rerun: boolean },
): (activity: AgentActivity) => void {
  let chars = 0;
  let isFull = false;
  const write = (kind: ActivityLine['kind'], text: string): void => {
    const line: ActivityLine = { at: new Date(drive.clock.read().wallMs).toISOString(), iteration, kind, text };
    drive.activity(JSON.stringify(line));
  };
  if (rerun) write('note', 'this iteration runs again');
  return (activity) => {
    const line = lineOf(activity);
    if (line === null || isFull) return;
    chars += line.text.length;
    isFull = chars > CHARS_PER_ITERATION_MAX;
    if (isFull) write('note', 'the rest of the output of this iteration is left out');
    else write(line.kind, line.text);
  };
}

function lineOf(activity: AgentActivity): Pick<ActivityLine, 'kind' | 'text'> | null {
  switch (activity.kind) {
    case 'output':
      return { kind: activity.stream, text: activity.text };
    case 'tool-used':
      return { kind: 'tool', text: `${activity.tool} ${activity.detail}` };
    case 'usage':
    case 'alive':
    case 'ended':
      return null;
  }
}
