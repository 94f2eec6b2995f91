import { describe, expect, it, vi } from 'vitest';
import { interruptSignals, onInterrupt } from './signals.ts';

describe('onInterrupt', () => {
  it('hears a signal until it is taken away', async () => {
    const heard: string[] = [];
    // Keeps the test process alive after our own listener is removed.
    const safety = (): void => undefined;
    process.on('SIGHUP', safety);
    const remove = onInterrupt((signal) => heard.push(signal));
    process.kill(process.pid, 'SIGHUP');
    await vi.waitFor(() => expect(heard).toEqual(['SIGHUP']));
    const listeners = process.listenerCount('SIGTERM');
    remove();
    expect(process.listenerCount('SIGTERM')).toBe(listeners - 1);
    process.off('SIGHUP', safety);
  });

  it('listens to what each system can send', () => {
    expect(interruptSignals('linux')).toEqual(['SIGINT', 'SIGTERM', 'SIGHUP']);
    expect(interruptSignals('win32')).toEqual(['SIGINT', 'SIGBREAK', 'SIGHUP']);
  });
});
