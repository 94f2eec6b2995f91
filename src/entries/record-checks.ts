import type { ActivityLine } from '../core/activity-line.ts';
import type { Store } from '../engine/ports.ts';
import type { CheckUpdate } from '../evidence/probe.ts';
import { activityLog } from '../stores/activity.ts';
import { ignoringErrno } from '../system/errno.ts';

/** For one run of a check; the first error may be at the beginning, the summary is at the end. */
const HEAD_CHARS_MAX = 16 * 1024;
const TAIL_CHARS_MAX = 48 * 1024;

/** Writes the output of a loop's checks to its log, for `tireless logs`. Hold-outs come without output, and leave nothing there. */
export function checkRecorder(store: Pick<Store, 'load'>, home: string): (update: CheckUpdate) => void {
  return ({ loop, name, result, output, where }) => {
    if (result === undefined || output === undefined) return;
    // The code that makes the decision reports an unreadable journal; nothing here may interfere with that.
    const state = ignoringErrno(() => store.load(loop))?.state;
    const line: ActivityLine = {
      at: new Date().toISOString(),
      iteration: state === undefined || state.baseline === null ? 0 : state.counted + 1,
      kind: 'check',
      check: name,
      result: result.result,
      ...(where === undefined ? {} : { where }),
      text: withoutMiddle(output),
    };
    activityLog(home, loop).append(JSON.stringify(line));
  };
}

function withoutMiddle(text: string): string {
  const left = text.length - HEAD_CHARS_MAX - TAIL_CHARS_MAX;
  if (left <= 0) return text;
  return `${text.slice(0, HEAD_CHARS_MAX)}\n[${left} characters left out]\n${text.slice(-TAIL_CHARS_MAX)}`;
}
