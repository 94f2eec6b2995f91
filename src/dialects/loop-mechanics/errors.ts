import type { Failure, FailureClass } from '../../core/event.ts';
import { headWithin } from '../../core/quoting.ts';
import { ERROR_PATTERNS } from './error-patterns.ts';
import type { ErrorClass, LoopError, LoopState } from './state.ts';

/** Transient: retry once, then pause. Blocking and unknown: pause at once. Logic errors are ordinary turns, and count. */
export const TRIES: Readonly<Partial<Record<FailureClass, number>>> = {
  transient: 2,
  'rate-limit': 2,
  fatal: 1,
  unknown: 1,
};

/** The engine's class for an error of the document; `null` = the turn ended normally, and its work is not done yet. */
export const FAILURE_CLASSES: Readonly<Record<ErrorClass, FailureClass | null>> = {
  transient: 'transient',
  logic: null,
  blocking: 'fatal',
  unknown: 'unknown',
};

/** The inverse, for a failed turn that the host reports. */
function errorClassOf(failure: FailureClass): ErrorClass {
  switch (failure) {
    case 'transient':
    case 'usage-limit':
    case 'rate-limit':
      return 'transient';
    case 'fatal':
      return 'blocking';
    case 'unknown':
    case 'context-full':
      return 'unknown';
  }
}

/** A failed turn has no logic to correct, so an apparent logic error is unknown. */
export function failureClassOf({ detail, unexplained }: Pick<Failure, 'detail' | 'unexplained'>): FailureClass {
  return (unexplained === true ? null : FAILURE_CLASSES[classifyError(detail)]) ?? 'unknown';
}

/** The error class of a failed turn that the host reports. */
export function classOfFailure(failure: Pick<Failure, 'class' | 'detail' | 'unexplained'>): ErrorClass {
  return errorClassOf(failure.class === 'unknown' ? failureClassOf(failure) : failure.class);
}

const ERRORS_KEPT = 50;
const ERROR_BYTES_MAX = 4000;

export function boundedError(error: LoopError): LoopError {
  return { ...error, message: headWithin(error.message, ERROR_BYTES_MAX) };
}

/** The state change that adds an error. */
export function withError({ errors = [] }: LoopState, error: LoopError): Pick<LoopState, 'errors'> {
  return { errors: [...errors, error].slice(-ERRORS_KEPT) };
}

/** Classifies by the output of programs (`error-patterns.ts`). An unrecognised error pauses the loop. */
export function classifyError(message: string): ErrorClass {
  const text = readable(message);
  const row = ERROR_PATTERNS.find(([, patterns]) => patterns.some((pattern) => pattern.test(text)));
  return row?.[0] ?? 'unknown';
}

const PART_CHARS_MAX = 8000;

const ESC = String.fromCodePoint(0x1b);
const COLOURS = new RegExp(`${ESC}\\[[0-9;]{0,40}m`, 'gu');

/** Compilers report errors at the beginning of their output, runners print a summary at the end, and both use colours. */
function readable(message: string): string {
  const parts =
    message.length <= 2 * PART_CHARS_MAX
      ? message
      : `${message.slice(0, PART_CHARS_MAX)}\n${message.slice(-PART_CHARS_MAX)}`;
  return parts.replaceAll(COLOURS, '');
}
