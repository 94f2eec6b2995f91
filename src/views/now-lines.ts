import type { ActivityLine } from '../core/activity-line.ts';
import { durationText } from './duration.ts';
import { oneLine, printable } from './printable.ts';

const TEXT_CHARS_MAX = 48;
/** Only the end of a long output is read. */
const LOOKED_CHARS_MAX = 2000;

/** `beganAt`: when the iteration began. `lines`: the newest of the log, oldest first. */
export type WorkNow = { readonly beganAt: string; readonly lines: readonly ActivityLine[]; readonly nowMs: number };

/** What a loop driven by a worker does at this moment: how long the iteration has been running, and what was printed or done last. */
export function workLines({ beganAt, lines, nowMs }: WorkNow): readonly string[] {
  const beganMs = Date.parse(beganAt);
  const last = lines.findLast((line) => Date.parse(line.at) >= beganMs && activityText(line) !== '');
  const ago = last === undefined ? '' : ` (${durationText(Math.max(0, nowMs - Date.parse(last.at)))} ago)`;
  return [
    `  now:       working for ${durationText(Math.max(0, nowMs - beganMs))}`,
    ...(last === undefined ? [] : [`  last:      ${activityText(last)}${ago}`]),
  ];
}

/** For a session, only its events are known. */
export function sessionNowLines({
  updatedAt,
  nowMs,
}: {
  readonly updatedAt: string;
  readonly nowMs: number;
}): readonly string[] {
  return [`  now:       last event ${durationText(Math.max(0, nowMs - Date.parse(updatedAt)))} ago`];
}

function activityText({ kind, text, check = '', result }: ActivityLine): string {
  switch (kind) {
    case 'tool':
      return `used ${oneLine(text, TEXT_CHARS_MAX)}`;
    case 'message':
    case 'diagnostics': {
      const lines = printable(text.slice(-LOOKED_CHARS_MAX)).split('\n');
      return oneLine(lines.findLast((line) => line.trim() !== '') ?? '', TEXT_CHARS_MAX);
    }
    case 'check':
      return `check ${oneLine(check, TEXT_CHARS_MAX / 2)} ${result === 'unknown' ? 'gave no result' : (result ?? 'ended')}`;
    case 'note':
    case 'dropped':
      return '';
  }
}
