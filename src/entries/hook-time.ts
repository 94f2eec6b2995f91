/** The timeout that `tireless install` requests from every host. */
const HOOK_SECONDS = 600;
/** For everything after the checks: the decision, the journal, the reply. */
const RESERVED_SHARE = 0.05;
/** For a hook with little time: at least this, but never more than a third. */
const RESERVED_SECONDS = 2;

/** How long the settings of the host let a hook run, in seconds; `null` = they do not set it. */
export type HookLimits = {
  /** For the event that this hook handles. */
  readonly now: () => number | null;
  /** For a stop. */
  readonly atStop: () => number | null;
};

let isHurried = false;
let limits: HookLimits | undefined;
/** `undefined` = not looked up yet. */
let shortSeconds: number | null | undefined;

/** From now on this hook waits for no check: an earlier hook was killed while it waited for the same ones. */
export function hurryHook(): void {
  isHurried = true;
}

/** This process is a hook, and its host ends it. The settings are read before its first wait, because most hooks do not wait. */
export function limitHook(given: HookLimits): void {
  limits = given;
  shortSeconds = undefined;
}

/** How long the settings let the hook of a stop run, if that is less than was installed; otherwise, or if this is not a hook, `null`. */
export function shortStopSeconds(): number | null {
  return ifShort(limits?.atStop());
}

function ifShort(seconds: number | null = null): number | null {
  return seconds !== null && seconds < HOOK_SECONDS ? seconds : null;
}

/** How much longer this hook may run. `TIRELESS_HOOK_SECONDS`: for settings with another timeout. */
export function hookLeftMs(): number {
  if (isHurried) return 0;
  const seconds = Number(process.env['TIRELESS_HOOK_SECONDS'] ?? HOOK_SECONDS);
  const endMs = (Number.isFinite(seconds) && seconds > 0 ? seconds : HOOK_SECONDS) * 1000 * (1 - RESERVED_SHARE);
  if (shortSeconds === undefined) shortSeconds = ifShort(limits?.now());
  const reserved = Math.min(RESERVED_SECONDS, (shortSeconds ?? 0) / 3);
  const shortMs =
    shortSeconds === null ? Infinity : (shortSeconds - Math.max(reserved, shortSeconds * RESERVED_SHARE)) * 1000;
  // Counted from the start of this process, as the host does.
  return Math.min(endMs, shortMs) - performance.now();
}
