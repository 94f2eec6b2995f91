import { Script } from 'node:vm';

const SCRIPT = new Script('pattern.test(text)');

/**
 * Does the text match, within the time limit? A regular expression can take exponential time and nothing in the language stops it; the
 * `vm` module does. Blocks at most `timeoutMs`.
 */
export function matchWithin(pattern: RegExp, text: string, timeoutMs: number): boolean | 'timed-out' {
  try {
    return SCRIPT.runInNewContext({ pattern, text }, { timeout: Math.max(1, Math.ceil(timeoutMs)) }) === true;
  } catch (error) {
    // Created in the other context, so it is not an `instanceof Error` here.
    if (
      typeof error === 'object' &&
      error !== null &&
      'code' in error &&
      error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
    ) {
      return 'timed-out';
    }
    throw error;
  }
}
