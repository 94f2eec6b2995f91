import type { FailureClass } from '../../core/event.ts';
import type { ErrorClass } from './state.ts';

/** Transient: retry once, then pause. Blocking and unknown: pause at once. Logic errors are turns like any other, and count. */
export const TRIES: Readonly<Partial<Record<FailureClass, number>>> = { transient: 2, fatal: 1, unknown: 1 };

/** How an error of the document is called in the engine; `null` = the turn ended, and its work is not done yet. */
export const FAILURE_CLASSES: Readonly<Record<ErrorClass, FailureClass | null>> = {
  transient: 'transient',
  logic: null,
  blocking: 'fatal',
  unknown: 'unknown',
};

const TRANSIENT =
  /\b(?:timed? ?out|timeout|ETIMEDOUT|ECONNRESET|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|socket hang up|network|overloaded|rate limit|too many requests|temporarily unavailable|service unavailable|bad gateway|50[234])\b/iu;
const BLOCKING =
  /\b(?:EACCES|EPERM|permission denied|access denied|not permitted|unauthori[sz]ed|forbidden|command not found|not installed|cannot find (?:module|package)|module not found|no module named|missing (?:dependency|module|package|credentials?|api key)|ENOSPC)\b/iu;
const LOGIC =
  /\b(?:tests? fail(?:ed|ure|s|ing)?|fail(?:ed|ing) tests?|assert(?:ion)?(?:Error)?|expected .{0,80} (?:to|but)|lint|type ?error|TS\d{4}|syntax ?error|build failed|does not compile|compil(?:e|ation) error)\b/iu;

/** By its words, the harmless reading last: an error that nobody knows stops the loop and asks. */
export function classifyError(message: string): ErrorClass {
  const text = message.slice(0, MESSAGE_CHARS_MAX);
  if (BLOCKING.test(text)) return 'blocking';
  if (LOGIC.test(text)) return 'logic';
  return TRANSIENT.test(text) ? 'transient' : 'unknown';
}

const MESSAGE_CHARS_MAX = 8000;
