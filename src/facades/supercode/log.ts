/** Where the hook says what it does. */
export type LogSink = {
  readonly info: (message: string, details?: object) => void;
  readonly warn: (message: string, details?: object) => void;
  readonly error: (message: string, details?: object) => void;
};

/** Faults are never hidden: they go to stderr until a host takes them (`setLog`). News of a loop that runs well is for its journal. */
let sink: LogSink = {
  info: () => undefined,
  warn: (message, details) => console.warn(message, ...(details === undefined ? [] : [details])),
  error: (message, details) => console.error(message, ...(details === undefined ? [] : [details])),
};

export const Log: LogSink = {
  info: (message, details) => sink.info(message, details),
  warn: (message, details) => sink.warn(message, details),
  error: (message, details) => sink.error(message, details),
};

/** For a host with a screen of its own. Gives back the sink that was there. */
export function setLog(next: LogSink): LogSink {
  const before = sink;
  sink = next;
  return before;
}
