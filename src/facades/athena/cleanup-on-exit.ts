import { onInterrupt } from '../../system/signals.ts';
import type { LoopManager } from './loop-manager.ts';

/**
 * Cleans up when this program ends: by itself, by Ctrl-C, `kill` or a closed terminal. Returns a function that undoes the registration. If
 * nobody else listens for the signal, it then ends the program, as it would have without us.
 */
export function cleanupOnExit(manager: Pick<LoopManager, 'cleanup'>): () => void {
  const clean = (): void => manager.cleanup();
  const offInterrupt = onInterrupt((signal) => {
    clean();
    undo();
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  });
  const undo = (): void => {
    process.off('exit', clean);
    offInterrupt();
  };
  process.on('exit', clean);
  return undo;
}
