/**
 * A client that exits ends its hooks. The shell around us must not mistake that for a hook that never ran, or it would report a failed turn twice. So
 * until the failure is recorded no signal ends this process, and afterwards a signal ends it with exit code 0.
 */
export function outlastSignals(): { readonly endAtSignal: () => void } {
  let end: (() => void) | undefined;
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const) process.on(signal, () => end?.());
  return { endAtSignal: () => (end = () => process.exit(0)) };
}
