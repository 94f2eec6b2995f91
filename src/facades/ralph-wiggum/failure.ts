import type { Failure } from '../../core/event.ts';
import { headWithin } from '../../core/quoting.ts';

const DETAIL_BYTES_MAX = 4000;

/** An error of the turn in any form a host may pass: a text, an `Error`, or an object that tells whether a retry can help. */
export function failureOf(error: unknown): Failure {
  if (typeof error !== 'object' || error === null)
    return classifiedByWords({ class: 'unknown', detail: short(String(error)) });
  const detail = short(textOf(error));
  if ('fatal' in error && error.fatal === true) return { class: 'fatal', detail };
  if ('transient' in error && error.transient === false) return { class: 'fatal', detail };
  return classifiedByWords({
    class: 'transient' in error && error.transient === true ? 'transient' : 'unknown',
    detail,
  });
}

/** Errors that no retry can fix: authentication, permission, billing, or an invalid request. */
const FATAL: readonly RegExp[] = [
  /\b(?:authentication[_ ](?:failed|error|required)|unauthenticated|unauthori[sz]ed|forbidden|oauth_org_not_allowed)\b/iu,
  /\b(?:invalid|incorrect|expired|revoked|missing)[ _](?:x-)?api[ _-]?key\b|\b(?:x-)?api[ _-]?key (?:has |is )?(?:expired|revoked|invalid|missing|not set)\b/iu,
  /\b(?:oauth |access |auth )?token (?:has |is )?(?:expired|revoked|invalid)\b|\bplease run \/login\b|\bnot logged in\b/iu,
  /\b(?:EACCES|permission denied|permission_error)\b/iu,
  /\b(?:billing_error|credit balance is too low|insufficient_quota)\b/iu,
  /\b(?:invalid_request(?:_error)?|model_not_found|not_found_error)\b/iu,
];

/** Classifies an unclassified failure by its words. */
export function classifiedByWords(failure: Failure): Failure {
  return failure.class === 'unknown' && FATAL.some((words) => words.test(failure.detail))
    ? { ...failure, class: 'fatal' }
    : failure;
}

/** The stack begins with the message. */
function textOf(error: object): string {
  if ('stack' in error && typeof error.stack === 'string') return error.stack;
  if ('message' in error && typeof error.message === 'string') return error.message;
  return JSON.stringify(error);
}

function short(text: string): string {
  return headWithin(text, DETAIL_BYTES_MAX);
}
