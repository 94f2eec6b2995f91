/* oxlint-disable no-restricted-globals -- What time it is comes as an argument; `Date` only computes with calendars. */
/**
 * When a usage limit ends, as agents and their services write it: an epoch after a bar, an ISO time, "resets 3pm (Europe/Berlin)",
 * "try again in 2 hours", "retry-after: 30". Pure; anything it cannot read is `undefined`, never a guess.
 */
export function parseResetTime(text: string, nowMs: number): number | undefined {
  const found = epochIn(text) ?? isoIn(text) ?? timeOfDayIn(text, nowMs) ?? durationIn(text, nowMs);
  if (found === undefined || !Number.isFinite(found) || found - nowMs > WAIT_MS_MAX) return undefined;
  // A time that has just passed means "now"; one long past refers to something else.
  return found < nowMs - JUST_PASSED_MS ? undefined : Math.max(found, nowMs + WAIT_MS_MIN);
}

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** Anything longer than a weekly limit is a misreading. */
const WAIT_MS_MAX = 8 * DAY_MS;
/** Waiting costs no iteration, so an agent that always reports "retry in 0 s" must not make the driver spin. */
const WAIT_MS_MIN = 30 * 1000;
const JUST_PASSED_MS = 10 * 60 * 1000;

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** Log lines start with their own time, so only a time after one of these words counts. */
const ANNOUNCED = String.raw`(?:resets?(?:[ _-]?(?:at|time))?|again|until|available)\b["'\s:=·∙,]*(?:(?:at|on|by)\s+)?`;

function epochIn(text: string): number | undefined {
  const digits =
    /\|\s*(\d{13}|\d{10})\b/u.exec(text)?.[1] ?? /reset[\w-]*["']?\s*[:=]\s*["']?(\d{13}|\d{10})\b/iu.exec(text)?.[1];
  if (digits === undefined) return undefined;
  return digits.length === 13 ? Number(digits) : Number(digits) * 1000;
}

function isoIn(text: string): number | undefined {
  const iso = String.raw`(\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s?(Z|UTC|[+-]\d{2}:?\d{2})?`;
  const found = new RegExp(`${ANNOUNCED}${iso}`, 'iu').exec(text);
  if (found?.[1] === undefined) return undefined;
  const zone = found[2]?.toUpperCase().replace('UTC', 'Z') ?? '';
  return Date.parse(`${found[1].replace(' ', 'T')}${zone.replace(/^([+-]\d{2})(\d{2})$/u, '$1:$2')}`);
}

const UNIT_MS: Readonly<Record<string, number>> = { d: DAY_MS, h: HOUR_MS, m: 60_000, s: 1000 };

/** "in 2 hours 3 minutes", "in 1h30m", "after 30 seconds", "retry-after: 30". */
function durationIn(text: string, nowMs: number): number | undefined {
  const amount = String.raw`\d+(?:\.\d+)?\s*(?:days?|d|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s)\b`;
  const spoken = new RegExp(
    String.raw`\b(?:in|after)[:\s]+(?:about\s+)?(${amount}(?:[\s,]*(?:and\s+)?${amount})*|(?:\d+[dhms])+\b)`,
    'iu',
  ).exec(text)?.[1];
  if (spoken !== undefined) return nowMs + sumOf(spoken);
  const header = /retry[- ]after["']?\s*[:=]?\s*["']?(\d+)\b/iu.exec(text)?.[1];
  return header === undefined ? undefined : nowMs + Number(header) * 1000;
}

function sumOf(spoken: string): number {
  const parts = spoken.toLowerCase().matchAll(/(\d+(?:\.\d+)?)\s*([dhms])/gu);
  return [...parts].reduce((sum, [, amount, unit]) => sum + Number(amount) * (UNIT_MS[unit ?? ''] ?? 0), 0);
}

type WallTime = {
  readonly hour: number;
  readonly minute: number;
  readonly date?: { readonly month: number; readonly day: number; readonly year: number | undefined };
};

/**
 * "resets 3pm", "resets at 15:00 UTC", "resets Oct 9, 5pm (Europe/Berlin)", "try again at 3:05 PM", and what Codex writes when the limit ends on
 * another day: "try again at Oct 9th, 2026 3:05 PM". Without a zone: this machine's zone.
 */
function timeOfDayIn(text: string, nowMs: number): number | undefined {
  const date = String.raw`(?:(${MONTHS.join('|')})[a-z]*\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(?:(\d{4}),?\s+)?(?:at\s+)?)?`;
  const time = String.raw`(\d{1,2})(?::(\d{2}))?\s*([ap])?\.?(?:m\b)?\.?`;
  const zone = String.raw`\s*(?:\(([A-Za-z_]+(?:\/[A-Za-z_+-]+)*)\)|(UTC|GMT)\b)?`;
  const found = new RegExp(`${ANNOUNCED}${date}${time}${zone}`, 'iu').exec(text);
  if (found === null) return undefined;
  const [, month, day, year, hourText, minuteText, half, zoneName, zoneShort] = found;
  // "resets 3" is not a time: it needs minutes or am/pm.
  if (minuteText === undefined && half === undefined) return undefined;
  const hour = half === undefined ? Number(hourText) : (Number(hourText) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  const minute = Number(minuteText ?? 0);
  if (hour > 23 || minute > 59) return undefined;
  const dated =
    month === undefined
      ? {}
      : {
          date: {
            month: MONTHS.indexOf(month.slice(0, 3).toLowerCase()),
            day: Number(day),
            year: year === undefined ? undefined : Number(year),
          },
        };
  return nextTime({ hour, minute, ...dated }, knownZone(zoneName ?? zoneShort), nowMs);
}

function nextTime({ hour, minute, date }: WallTime, zone: string | undefined, nowMs: number): number {
  const today = new Date(nowMs + offsetMs(zone, nowMs));
  const inYear = (year: number): number =>
    instantOf(Date.UTC(year, date?.month ?? today.getUTCMonth(), date?.day ?? today.getUTCDate(), hour, minute), zone);
  const at = inYear(date?.year ?? today.getUTCFullYear());
  if (at >= nowMs - JUST_PASSED_MS || date?.year !== undefined) return at;
  // A time without a date means tomorrow, and a date in January may be announced in December.
  return date === undefined ? at + DAY_MS : inYear(today.getUTCFullYear() + 1);
}

/** Computed twice, the second time with the offset of that day: daylight saving time may begin in between. */
function instantOf(wallMs: number, zone: string | undefined): number {
  const guess = wallMs - offsetMs(zone, wallMs);
  return wallMs - offsetMs(zone, guess);
}

/** Local time in that zone minus UTC. */
function offsetMs(zone: string | undefined, atMs: number): number {
  const format = new Intl.DateTimeFormat('en-US', {
    ...(zone === undefined ? {} : { timeZone: zone }),
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const part = new Map(format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]));
  const of = (name: Intl.DateTimeFormatPartTypes): number => part.get(name) ?? 0;
  const shown = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return shown - Math.floor(atMs / 1000) * 1000;
}

function knownZone(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
  } catch (error) {
    // A remark in brackets, not a zone: the machine's own zone is the best guess.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
