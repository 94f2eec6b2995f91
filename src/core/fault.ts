/** Every code a user can see. Stable once released: scripts match on it. Each has a section in docs/errors.md. */
export type FaultCode =
  | 'AGENT_NOT_FOUND'
  | 'AGENT_REFUSED'
  | 'CHECK_NOT_RUNNABLE'
  | 'CONFIG_INVALID'
  | 'CONFIG_NOT_ALLOWED'
  | 'HOME_UNUSABLE'
  | 'JOURNAL_BROKEN'
  | 'JOURNAL_TAMPERED'
  | 'JOURNAL_TRUNCATED'
  | 'JOURNAL_VERSION_UNKNOWN'
  | 'LOOP_AMBIGUOUS'
  | 'LOOP_BUSY'
  | 'LOOP_CONFLICT'
  | 'LOOP_ENDED'
  | 'LOOP_NOT_FOUND'
  | 'LOOP_STATE'
  | 'PAYLOAD_INVALID'
  | 'PROJECT_MISSING'
  | 'SANDBOX_UNAVAILABLE'
  | 'SETTINGS_INVALID'
  | 'SOCKET_UNUSABLE'
  | 'STATE_CONFLICT'
  | 'STATE_FILE_INVALID'
  | 'STORE_FULL'
  | 'STORE_UNREADABLE'
  | 'STORE_UNWRITABLE'
  | 'USAGE';

/** Something outside the program went wrong: a disk, a process, another writer. Bugs use `assert`. */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly code: FaultCode;

  constructor(code: FaultCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** By name, not `instanceof Fault`: a host may load a second copy of this package. */
export function isFault(error: unknown): error is Fault {
  return error instanceof Error && error.name === 'Fault' && 'code' in error;
}

/** Whatever was thrown, in one text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Checks an invariant of our own code. A failure is a bug to report, not a code path. */
export function assert(condition: unknown, sentence: string): asserts condition {
  if (!condition) throw new Bug(sentence);
}

/** tireless itself failed: reported with "please report", exit code 70. */
export class Bug extends Error {
  override readonly name = 'Bug';
}
