import { failOpen } from '../../engine/fail-open.ts';

/** Where the facade reports to the user. `warn`: something went wrong, and the agent may stop. `info`: how a loop ended. */
export type Logger = { readonly warn: (sentence: string) => void; readonly info: (sentence: string) => void };

/** Both use Node's own warnings: they appear on stderr, and any program can listen to them or silence them. */
export const PROCESS_LOGGER: Logger = {
  warn: (sentence) => process.emitWarning(sentence, 'TirelessWarning'),
  info: (sentence) => process.emitWarning(sentence, 'TirelessNotice'),
};

/** The document's first principle: whatever goes wrong, report it and let the agent stop. */
export function failOpenLogged<T>(logger: Logger, otherwise: T, act: () => T): T {
  return failOpen('everything', act, (why) => {
    logger.warn(`The loop lets the agent stop: ${why}`);
    return otherwise;
  });
}
