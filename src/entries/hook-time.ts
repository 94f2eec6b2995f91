/** The timeout that `tireless install` requests from every host. */
const HOOK_SECONDS = 600;
/** For what comes after the checks: the decision, the journal, the reply. */
const RESERVED_SHARE = 0.05;

let isHurried = false;

/** From now on this hook waits for no check: an earlier one was killed while it waited for the same. */
export function hurryHook(): void {
  isHurried = true;
}

/** How long this hook may still run. `TIRELESS_HOOK_SECONDS`: for settings that give it another timeout. */
export function hookLeftMs(): number {
  if (isHurried) return 0;
  const seconds = Number(process.env['TIRELESS_HOOK_SECONDS'] ?? HOOK_SECONDS);
  const endMs = (Number.isFinite(seconds) && seconds > 0 ? seconds : HOOK_SECONDS) * 1000 * (1 - RESERVED_SHARE);
  // Counted from the start of this process, as the host does.
  return endMs - performance.now();
}
