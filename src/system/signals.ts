import { currentPlatform, type Platform } from './paths.ts';

export type InterruptSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'SIGBREAK';

/**
 * Call `handler` for every request to stop: Ctrl-C, `kill`, a closed terminal. While a handler is there the process no
 * longer ends by itself, so the handler must see to that. Returns the function that takes it away again.
 */
export function onInterrupt(handler: (signal: InterruptSignal) => void): () => void {
  const signals = interruptSignals(currentPlatform().os);
  for (const signal of signals) process.on(signal, handler);
  return () => {
    for (const signal of signals) process.off(signal, handler);
  };
}

/**
 * Windows never delivers SIGTERM; Ctrl-Break is SIGBREAK, and SIGHUP is the closed console with about ten seconds to
 * live.
 */
export function interruptSignals(os: Platform['os']): readonly InterruptSignal[] {
  return os === 'win32' ? ['SIGINT', 'SIGBREAK', 'SIGHUP'] : ['SIGINT', 'SIGTERM', 'SIGHUP'];
}
