import type { ActivityLine } from '../core/activity-line.ts';
import { durationText } from './duration.ts';
import { oneLine, printable } from './printable.ts';

const TEXT_CHARS_MAX = 48;
/** Only the end of a long output is read. */
const LOOKED_CHARS_MAX = 2000;

/** `beganAt`: when the iteration began. `lines`: the newest lines of the log, oldest first. */
export type CurrentWork = { readonly beganAt: string; readonly lines: readonly ActivityLine[]; readonly nowMs: number };

/** What a loop driven by a worker is doing: how long the iteration has been running, and the latest output or action. */
export function workLines({ beganAt, lines, nowMs }: CurrentWork): readonly string[] {
  const beganMs = Date.parse(beganAt);
  const last = lines.findLast((line) => Date.parse(line.at) >= beganMs && activityText(line) !== '');
  const ago = last === undefined ? '' : ` (${durationText(Math.max(0, nowMs - Date.parse(last.at)))} ago)`;
  return [
    `  now:       working for ${durationText(Math.max(0, nowMs - beganMs))}`,
    ...(last === undefined ? [] : [`  last:      ${activityText(last)}${ago}`]),
  ];
}

/** `beganAt`: when the agent was last sent to work. `activeMs`: when it was last active; `null` = nothing shows it. */
export type SessionNow = { readonly beganAt: string; readonly activeMs: number | null; readonly nowMs: number };

/** For a session, only its events and its transcript are known. */
export function sessionNowLines({ beganAt, activeMs, nowMs }: SessionNow): readonly string[] {
  const ago = (ms: number): string => `${durationText(Math.max(0, nowMs - ms))} ago`;
  const beganMs = Date.parse(beganAt);
  // Older activity belongs to the iteration before.
  const active = activeMs === null || activeMs < beganMs ? '' : `, last activity ${ago(activeMs)}`;
  return [`  now:       iteration began ${ago(beganMs)}${active}`];
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
