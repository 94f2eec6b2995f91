const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** `350ms` `12s` `4m 05s` `1h 02m`: two units are enough for people, and without the space the text parses as a flag again. */
export function durationText(ms: number): string {
  if (ms < SECOND) return `${Math.max(0, Math.round(ms))}ms`;
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)}s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)}m ${pad(Math.floor((ms % MINUTE) / SECOND))}s`;
  return `${Math.floor(ms / HOUR)}h ${pad(Math.floor((ms % HOUR) / MINUTE))}m`;
}

/** Without parts that are zero, for typed limits: `4h`, `90s` as `1m 30s`. */
export function limitDurationText(ms: number): string {
  return durationText(ms).replace(/ 00[ms]$/, '');
}

/** A moment as people read it, in their time zone: `2026-11-18 14:05`. */
export function momentText(at: number | string): string {
  const moment = new Date(at);
  const day = [moment.getFullYear(), pad(moment.getMonth() + 1), pad(moment.getDate())].join('-');
  return `${day} ${pad(moment.getHours())}:${pad(moment.getMinutes())}`;
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
