/** Where the facade reports to a user. `warn`: something was wrong, and the agent may stop. `info`: how a loop ended. */
export type Logger = { readonly warn: (sentence: string) => void; readonly info: (sentence: string) => void };

/** Both go to Node's own channel: they are shown on stderr, and any program can listen to it or silence it. */
export const PROCESS_LOGGER: Logger = {
  warn: (sentence) => process.emitWarning(sentence, 'TirelessWarning'),
  info: (sentence) => process.emitWarning(sentence, 'TirelessNotice'),
};

/** The document's first principle: whatever goes wrong, say so and let the agent stop. */
export function failOpen<T>(logger: Logger, otherwise: T, act: () => T): T {
  try {
    return act();
  } catch (error) {
    logger.warn(`The loop lets the agent stop: ${error instanceof Error ? error.message : String(error)}`);
    return otherwise;
  }
}
