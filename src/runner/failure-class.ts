import type { Failure } from '../core/event.ts';
import type { SpawnResult } from '../system/spawn.ts';
import { parseResetTime } from './reset-time.ts';

export type ObservedEnd = Pick<
  SpawnResult,
  'exitCode' | 'signal' | 'stderrTail' | 'stdoutTail' | 'trouble' | 'troubleDetail'
> & {
  readonly nowMs: number;
};

const DETAIL_MAX = 600;
const STDERR_LINES_READ = 20;
const STDOUT_LINES_READ = 6;
const CHARS_READ = 4000;

/**
 * Why a turn failed, or `null` when it ended as it should (exit code 0). Only error channels are read: the end of stderr, and of
 * stdout when the exit code already says "failed". An agent that writes about rate limits in its work is not rate-limited.
 *
 * A false `fatal` ends a loop and a false `transient` costs a retry, so the fatal patterns are the narrow ones.
 */
export function classifyFailure(seen: ObservedEnd): Failure | null {
  const trouble = troubleOf(seen);
  if (trouble !== null) return trouble;
  if (seen.exitCode === 0 && seen.signal === null) return null;
  const errors = lastLines(seen.stderrTail, STDERR_LINES_READ);
  const text = `${errors}\n${lastLines(seen.stdoutTail, STDOUT_LINES_READ)}`;
  return { ...classOf(text, errors, seen.nowMs), ...described(seen) };
}

type Class = Pick<Failure, 'class' | 'resumeAt'>;

function classOf(text: string, errors: string, nowMs: number): Class {
  if (BILLING.test(text)) return { class: 'fatal' };
  if (USAGE_LIMIT.test(text) || RATE_LIMIT.test(text)) return limitClass(text, nowMs);
  if (AUTH.test(text)) return { class: 'fatal' };
  if (TRANSIENT.test(text)) return { class: 'transient' };
  return { class: UNKNOWN_OPTION.test(errors) ? 'fatal' : 'unknown' };
}

/** A limit with a time is waited for: retrying earlier would only burn faults. Without one, a rate limit is short, a usage limit is not. */
function limitClass(text: string, nowMs: number): Class {
  const resumeAt = parseResetTime(text, nowMs);
  if (resumeAt !== undefined) return { class: 'usage-limit', resumeAt };
  return { class: USAGE_LIMIT.test(text) ? 'usage-limit' : 'transient' };
}

/**
 * Exit codes 126 and 127 are our shell's only if it says so under its own name: a tool inside the agent may give them too, and that
 * is an ordinary failure.
 */
function troubleOf(seen: ObservedEnd): Failure | null {
  const { trouble, troubleDetail: detail = '', stderrTail } = seen;
  if (trouble === undefined) {
    return NOT_RECOGNIZED.test(stderrTail) && seen.exitCode !== 0 ? fatal(seen, notFound(stderrTail.trim())) : null;
  }
  const isOfShell = detail.startsWith('/bin/sh:');
  switch (trouble) {
    case 'not-found':
      return isOfShell ? fatal(seen, notFound(detail)) : null;
    case 'not-executable':
      return isOfShell ? fatal(seen, `the agent command cannot be executed: ${detail}`) : null;
    case 'cwd-missing':
      return fatal(seen, `the project directory is gone: ${detail}`);
    case 'spawn-failed':
      return { class: 'unknown', detail: `the agent could not be started: ${detail}`.slice(0, DETAIL_MAX) };
  }
}

/** What cmd.exe says; it has no exit code of its own for it. */
const NOT_RECOGNIZED = /is not recognized as an internal or external command/u;

function notFound(detail: string): string {
  return `the agent command was not found: ${detail}`;
}

function fatal(seen: ObservedEnd, detail: string): Failure {
  return {
    class: 'fatal',
    detail: detail.slice(0, DETAIL_MAX),
    ...(seen.exitCode === null ? {} : { exitCode: seen.exitCode }),
  };
}

function described(seen: ObservedEnd): Pick<Failure, 'detail' | 'exitCode'> {
  const how = seen.exitCode === null ? `ended by ${seen.signal ?? 'an unknown signal'}` : `exit code ${seen.exitCode}`;
  const said = seen.stderrTail.trim() === '' ? seen.stdoutTail.trim() : seen.stderrTail.trim();
  const detail = said === '' ? `${how}, and no message` : `${how}: ${said.slice(-(DETAIL_MAX - how.length - 2))}`;
  return { detail, ...(seen.exitCode === null ? {} : { exitCode: seen.exitCode }) };
}

function lastLines(text: string, count: number): string {
  return text.trimEnd().split('\n').slice(-count).join('\n').slice(-CHARS_READ);
}

const BILLING = /credit balance (?:is )?too low|insufficient_quota|billing (?:hard )?limit|payment required/iu;

const USAGE_LIMIT =
  /usage limit|(?:hit|reached|exceeded) your (?:[\w-]+ )?limit|(?:5-hour|session|weekly|daily|monthly|opus) limit reached|quota (?:exceeded|exhausted|reached)|exceeded your current quota|exhausted your (?:[\w-]+ )?(?:quota|capacity)/iu;

const RATE_LIMIT =
  /rate[ _-]?limit|too many requests|(?:status|code|http|error)\W{0,12}429\b|\bretry[- ]after\b|RESOURCE_EXHAUSTED/iu;

const AUTH =
  /(?:invalid|incorrect|missing|expired)[ _](?:x-)?api[ _-]?key|api[ _-]?key (?:is |has )?(?:not valid|not set|invalid|missing|expired|required)|not logged in|login required|please (?:run \S*\s*)?\/?log ?in\b|authentication[_ ](?:error|failed|required)|\b401 unauthori[sz]ed|\b403 forbidden|(?:status|code|http|api error)\W{0,12}40[13]\b|invalid (?:authentication|bearer|access)[ _](?:token|credentials)|token (?:has |is )?(?:expired|revoked)|permission_error/iu;

const TRANSIENT =
  /overloaded|(?:status|code|http|error)\W{0,12}5\d\d\b|\b5\d\d (?:internal|bad gateway|service|gateway|overloaded)|internal server error|bad gateway|service unavailable|gateway time-?out|temporarily unavailable|\b(?:ECONNRESET|ECONNREFUSED|ECONNABORTED|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EPIPE|ENETUNREACH|EHOSTUNREACH)\b|socket hang up|fetch failed|network error|connection (?:error|reset|closed|refused|timed out)|request timed out|stream disconnected/iu;

/** At the start of a line of stderr: the agent's tools complain about options too, but deeper in the text. */
const UNKNOWN_OPTION =
  /^(?:[\w./-]+: )?(?:error: )?(?:unknown|unrecogni[sz]ed|unexpected|invalid|illegal|bad) (?:option|argument|flag|command-line option)s?\b/imu;
