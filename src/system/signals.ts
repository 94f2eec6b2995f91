import { currentPlatform, type Platform } from './paths.ts';

export type InterruptSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'SIGBREAK';

/**
 * Calls `handler` for every request to stop: Ctrl-C, `kill`, a closed terminal. While a handler is registered the process no
 * longer ends by itself, so the handler must end it. Returns the function that removes the handler.
 */
export function onInterrupt(handler: (signal: InterruptSignal) => void): () => void {
  const signals = interruptSignals(currentPlatform().os);
  for (const signal of signals) process.on(signal, handler);
  return () => {
    for (const signal of signals) process.off(signal, handler);
  };
}

/**
 * Windows never delivers SIGTERM; Ctrl-Break is SIGBREAK, and SIGHUP is a closed console, which leaves about ten seconds to
 * live.
 */
export function interruptSignals(os: Platform['os']): readonly InterruptSignal[] {
  return os === 'win32' ? ['SIGINT', 'SIGBREAK', 'SIGHUP'] : ['SIGINT', 'SIGTERM', 'SIGHUP'];
}
