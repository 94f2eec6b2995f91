/** Where the hook reports what it does. */
export type LogSink = {
  readonly info: (message: string, details?: object) => void;
  readonly warn: (message: string, details?: object) => void;
  readonly error: (message: string, details?: object) => void;
};

/** Faults are never hidden: they go to stderr until a host handles them (`setLog`). The normal course of a loop is in its journal. */
let sink: LogSink = {
  info: () => undefined,
  warn: (message, details) => console.warn(message, ...(details === undefined ? [] : [details])),
  error: (message, details) => console.error(message, ...(details === undefined ? [] : [details])),
};

/** Never throws: a sink that fails must not stop a loop. */
export const Log: LogSink = {
  info: (message, details) => send('info', message, details),
  warn: (message, details) => send('warn', message, details),
  error: (message, details) => send('error', message, details),
};

function send(level: keyof LogSink, message: string, details: object | undefined): void {
  try {
    sink[level](message, details);
  } catch (error) {
    console.error(`${message} (the log failed: ${String(error)})`);
  }
}

/** For a host with its own screen. Returns the previous sink. */
export function setLog(next: LogSink): LogSink {
  const before = sink;
  sink = next;
  return before;
}
