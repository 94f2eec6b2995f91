/** Where the facade says what a user should know. `warn`: something was wrong, and the agent was let go. `info`: how a loop ended. */
export type Logger = { readonly warn: (sentence: string) => void; readonly info: (sentence: string) => void };

/** Warnings go to Node's own channel, which any program can listen to; how loops end is told only to a logger that asks. */
export const PROCESS_LOGGER: Logger = {
  warn: (sentence) => process.emitWarning(sentence, 'TirelessWarning'),
  info: () => undefined,
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
