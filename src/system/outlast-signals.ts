/**
 * A client that exits ends its hooks. Once a failed turn is recorded, the shell around us must not mistake that for a hook that never ran, and
 * report the failure again: until then no signal ends this process, and from then on a signal ends it with exit code 0.
 */
export function outlastSignals(): { readonly endAtSignal: () => void } {
  let end: (() => void) | undefined;
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const) process.on(signal, () => end?.());
  return { endAtSignal: () => (end = () => process.exit(0)) };
}
