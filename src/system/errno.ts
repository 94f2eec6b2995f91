/** The errno name of a system error (`ENOENT`), or `undefined` when it is something else: our own bug, most likely. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/**
 * The answer, or `undefined` when the system refuses to give it. For questions whose "no answer" the caller handles.
 */
export function askOrNone<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return undefined;
  }
}
