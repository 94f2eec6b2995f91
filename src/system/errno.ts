/** The errno name of a system error (`ENOENT`), or `undefined` for anything else: most likely our own bug. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** The result, or `undefined` when the system call fails with an errno. Other errors are bugs and are thrown. */
export function ignoringErrno<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return undefined;
  }
}
