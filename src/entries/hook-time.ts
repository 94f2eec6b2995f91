/** The timeout that `tireless install` requests from every host. */
const HOOK_SECONDS = 600;
/** For what comes after the checks: the decision, the journal, the reply. */
const RESERVED_SHARE = 0.05;
/** The same for a hook that has little time: at least this, but never more than a third. */
const RESERVED_SECONDS = 2;

let isHurried = false;
let shortSeconds: number | null = null;

/** From now on this hook waits for no check: an earlier one was killed while it waited for the same. */
export function hurryHook(): void {
  isHurried = true;
}

/** The settings of the host let this hook run only so long. */
export function shortenHook(seconds: number): void {
  if (seconds < HOOK_SECONDS) shortSeconds = seconds;
}

/** How long the settings let this hook run, if that is less than was installed and was looked up; `null` = it is not. */
export function shortHookSeconds(): number | null {
  return shortSeconds;
}

/** How long this hook may still run. `TIRELESS_HOOK_SECONDS`: for settings that give it another timeout. */
export function hookLeftMs(): number {
  if (isHurried) return 0;
  const seconds = Number(process.env['TIRELESS_HOOK_SECONDS'] ?? HOOK_SECONDS);
  const endMs = (Number.isFinite(seconds) && seconds > 0 ? seconds : HOOK_SECONDS) * 1000 * (1 - RESERVED_SHARE);
  const reserved = Math.min(RESERVED_SECONDS, (shortSeconds ?? 0) / 3);
  const shortMs =
    shortSeconds === null ? Infinity : (shortSeconds - Math.max(reserved, shortSeconds * RESERVED_SHARE)) * 1000;
  // Counted from the start of this process, as the host does.
  return Math.min(endMs, shortMs) - performance.now();
}
