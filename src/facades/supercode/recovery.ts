/** How long other hooks may repair a session undisturbed after an error. */
const RECOVERY_WINDOW_MS = 5000;

export type Recovery = {
  readonly begin: (sessionId: string) => void;
  readonly isOn: (sessionId: string) => boolean;
  readonly forget: (sessionId: string) => void;
};

/** Another error restarts the window. */
export function createRecovery(): Recovery {
  const timers = new Map<string, NodeJS.Timeout>();
  const forget = (sessionId: string): void => {
    clearTimeout(timers.get(sessionId));
    timers.delete(sessionId);
  };
  return {
    begin: (sessionId) => {
      forget(sessionId);
      const timer = setTimeout(() => timers.delete(sessionId), RECOVERY_WINDOW_MS);
      timer.unref();
      timers.set(sessionId, timer);
    },
    isOn: (sessionId) => timers.has(sessionId),
    forget,
  };
}
