/** The time that `tireless install` requests of every host. */
const HOOK_SECONDS = 600;
/** For what comes after the checks: the decision, the journal, the reply. */
const RESERVED_SHARE = 0.05;

/** How long this hook may still run. `TIRELESS_HOOK_SECONDS`: where the settings give it another time. */
export function hookLeftMs(): number {
  const seconds = Number(process.env['TIRELESS_HOOK_SECONDS'] ?? HOOK_SECONDS);
  const endMs = (Number.isFinite(seconds) && seconds > 0 ? seconds : HOOK_SECONDS) * 1000 * (1 - RESERVED_SHARE);
  // From the start of this process: the host counts from there.
  return endMs - performance.now();
}
