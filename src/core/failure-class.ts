import type { Failure } from './event.ts';
import { parseResetTime } from './reset-time.ts';

/** What an error of an agent or its service means for the loop. */
export type ErrorClass = Pick<Failure, 'class' | 'resumeAt'>;

/**
 * Why a turn failed, judged by the words of the error: the one classifier for sessions and for agents that tireless starts. Pass only text from an
 * error channel: an agent that writes about rate limits in its work is not rate-limited. Unrecognised errors are `unknown`.
 *
 * A false `fatal` ends a loop and a false `transient` costs a retry, so the fatal patterns are the narrow ones.
 */
export function classifyError(text: string, nowMs: number): ErrorClass {
  if (BILLING.test(text) || (PLAN.test(text) && !SHORT_QUOTA.test(text))) return { class: 'fatal' };
  if (USAGE_LIMIT.test(text) || RATE_LIMIT.test(text)) return limitClass(text, nowMs);
  if (AUTH.test(text)) return { class: 'fatal' };
  return { class: TRANSIENT.test(text) ? 'transient' : 'unknown' };
}

/**
 * With a reset time the loop waits: an earlier retry would only use up faults. Without one, a rate limit is short and a usage limit is not.
 */
function limitClass(text: string, nowMs: number): ErrorClass {
  const resumeAt = parseResetTime(text, nowMs);
  if (resumeAt !== undefined) return { class: 'usage-limit', resumeAt };
  return { class: USAGE_LIMIT.test(text) ? 'usage-limit' : 'rate-limit' };
}

const BILLING =
  /credit balance (?:is )?too low|insufficient_quota|billing(?: hard)? limit|billing[_ ]error|payment required|(?:status|code|http|api error)\W{0,12}402\b/iu;

/** OpenAI says this to an account without credit. Google says the same about a quota per minute or day, but names its metric. */
const PLAN = /check your plan and billing details/iu;
const SHORT_QUOTA = /RESOURCE_EXHAUSTED|quota exceeded for metric|googleapis|ai\.google\.dev|\bretry in \d/iu;

const USAGE_LIMIT =
  /usage limit|\blimit (?:will )?resets?\b|(?:hit|reached|exceeded) your (?!rate)(?:[\w-]+ )?limit|(?:5-hour|session|weekly|daily|monthly|opus) limit reached|quota (?:exceeded|exhausted|reached)|exceeded your current quota|exhausted your (?:[\w-]+ )?(?:quota|capacity)/iu;

const RATE_LIMIT =
  /rate[ _-]?limit|too many requests|(?:status|code|http|error)\W{0,12}429\b|\bretry[- ]after\b|RESOURCE_EXHAUSTED/iu;

const AUTH =
  /(?:invalid|incorrect|missing|expired)[ _](?:x-)?api[ _-]?key|api[ _-]?key (?:is |has )?(?:not valid|not set|invalid|missing|expired|required)|not logged in|login required|please (?:run \S*\s*)?\/?log ?in\b|authentication[_ ](?:error|failed|required)|\b401 unauthori[sz]ed|\b403 forbidden|(?:status|code|http|api error)\W{0,12}40[13]\b|invalid (?:authentication|bearer|access)[ _](?:token|credentials)|token (?:has |is )?(?:expired|revoked)|permission_error/iu;

const TRANSIENT =
  /overloaded|experiencing high demand|server_error|(?:status|code|http|error)\W{0,12}5\d\d\b|\b5\d\d (?:internal|bad gateway|service|gateway|overloaded)|internal server error|bad gateway|service unavailable|gateway time-?out|temporarily unavailable|\b(?:ECONNRESET|ECONNREFUSED|ECONNABORTED|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EPIPE|ENETUNREACH|EHOSTUNREACH)\b|socket hang up|fetch failed|network error|connection (?:error|reset|closed|refused|timed out)|request timed out|stream disconnected/iu;
