import type { FailureClass } from '../../core/event.ts';
import { headWithin } from '../../core/quoting.ts';
import type { ErrorClass, LoopError, LoopState } from './state.ts';

/** Transient: retry once, then pause. Blocking and unknown: pause at once. Logic errors are turns like any other, and count. */
export const TRIES: Readonly<Partial<Record<FailureClass, number>>> = { transient: 2, fatal: 1, unknown: 1 };

/** How an error of the document is called in the engine; `null` = the turn ended, and its work is not done yet. */
export const FAILURE_CLASSES: Readonly<Record<ErrorClass, FailureClass | null>> = {
  transient: 'transient',
  logic: null,
  blocking: 'fatal',
  unknown: 'unknown',
};

/** The same the other way round, for a turn whose failure the host reports. */
export function errorClassOf(failure: FailureClass): ErrorClass {
  switch (failure) {
    case 'transient':
    case 'usage-limit':
      return 'transient';
    case 'fatal':
      return 'blocking';
    case 'unknown':
    case 'context-full':
      return 'unknown';
  }
}

const ERRORS_KEPT = 50;
const ERROR_BYTES_MAX = 4000;

export function boundedError(error: LoopError): LoopError {
  return { ...error, message: headWithin(error.message, ERROR_BYTES_MAX) };
}

/** The change of a state that adds an error. */
export function withError({ errors = [] }: LoopState, error: LoopError): Pick<LoopState, 'errors'> {
  return { errors: [...errors, error].slice(-ERRORS_KEPT) };
}

/** A package or a program that is not installed. A relative path is the project's own module: the agent can write it. */
const MISSING =
  /\bcannot find (?:module|package) ['"`]?(?![.'"`])|\b(?:module not found|no module named|command not found|not installed|executable file not found|is not recognized as an internal or external command|no matching distribution|no required module provides|missing (?:dependency|module|package|credentials?|api key))\b|\bspawn \S+ ENOENT\b|: not found$|\bcode E404\b/imu;

/** What test runners print about a failed test: jest, vitest, mocha, TAP, pytest, go, cargo, rspec, Maven, Gradle, .NET, make. */
const FAILED_TESTS: readonly RegExp[] = [
  /\b[1-9]\d*\s+(?:failed|failing|failures?)\b(?!\s+(?:attempts?|logins?|requests?|connections?|retries))/iu,
  /^\s*(?:-{3}\s+)?FAIL(?:ED)?:?\s+\S/mu,
  /\btests? (?:fail(?:ed|ure|s|ing)?|timed out)\b|\bfail(?:ed|ing) tests?\b|\btest result: FAILED\b/iu,
  /^(?:not ok|[#ℹ]\s*fail [1-9])/mu,
  /\bfail(?:ed|ures?):\s*[1-9]/iu,
  /=\s[1-9]\d*\serrors?\sin\s[\d.]+s/u,
  /\bBUILD FAIL(?:ED|URE)\b|\*\*\* \[[^\]\n]{1,200}\] Error \d/u,
  /\b(?:command failed:.{0,80}|lifecycle script `?|npm ERR! )(?:test|lint|check|build|typecheck)\b/iu,
];

/** Compilers say so by a code. */
const COMPILER = /\berror TS\d{4}\b|\berror\[E\d{4}\]|\bcould not compile\b|\bAssertionError\b|^E\s{2,}assert\b/mu;

const REFUSED =
  /\b(?:EACCES|EPERM|ENOSPC|permission denied|access denied|not permitted|unauthori[sz]ed|forbidden|no space left|disk quota exceeded|invalid api key)\b/iu;

const NETWORK =
  /\b(?:fetch failed|failed to fetch|E(?:TIMEDOUT|CONNRESET|CONNREFUSED|CONNABORTED|NOTFOUND|AI_AGAIN|PIPE|HOSTUNREACH|NETUNREACH|NETDOWN)|UND_ERR_\w+|ERR_NETWORK|connection (?:refused|reset|closed|aborted|timed out|error)|(?:failed|unable|could not) to (?:connect|access|reach)|could not (?:connect|resolve)|socket hang up|broken pipe|premature close|other side closed|name resolution|name or service not known|no such host|(?:network|host) is (?:unreachable|down)|network ?(?:error|request|timeout)|TLS handshake|dns)\b/iu;

const WRONG_CODE: readonly RegExp[] = [
  /\bcannot find (?:module|package) ['"`]?\.|\bassert(?:ion)?(?: ?error| failed)?\b|\bexpected .{0,80} (?:to|but)\b/iu,
  /\b(?:syntax|type|reference|name|indentation|attribute|range|value|import) ?error\b|\bTS\d{4}\b/iu,
  /\blint\b|\b(?:build failed|does not compile|compil(?:e|ation) error|would be reformatted|would reformat|code style issues)\b/iu,
  /\b[1-9]\d*\s+(?:\w+\s+)?(?:errors?|problems?)\b/iu,
];

const NOT_NOW =
  /\b(?:timed? ?-?out|timeout|deadline exceeded|network|overloaded(?:_error)?|rate ?limit(?:ed)?|too many requests|temporarily unavailable|service unavailable|bad gateway|internal server error|429|50[0234]|529)\b/iu;

/**
 * By what runners, compilers and systems print. The order decides between two readings: a test that failed is logic whatever it failed
 * with, except for a package that is not installed. An error that nothing here knows pauses the loop.
 */
export function classifyError(message: string): ErrorClass {
  const text = readable(message);
  if (MISSING.test(text)) return 'blocking';
  if (COMPILER.test(text) || FAILED_TESTS.some((pattern) => pattern.test(text))) return 'logic';
  if (REFUSED.test(text)) return 'blocking';
  if (NETWORK.test(text)) return 'transient';
  if (WRONG_CODE.some((pattern) => pattern.test(text))) return 'logic';
  return NOT_NOW.test(text) ? 'transient' : 'unknown';
}

const PART_CHARS_MAX = 8000;

/** Compilers fail at the beginning of their output, runners print the summary at its end. */
function readable(message: string): string {
  if (message.length <= 2 * PART_CHARS_MAX) return message;
  return `${message.slice(0, PART_CHARS_MAX)}\n${message.slice(-PART_CHARS_MAX)}`;
}
