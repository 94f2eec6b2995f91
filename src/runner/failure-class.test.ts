import { describe, expect, it } from 'vitest';
import type { FailureClass } from '../core/event.ts';
import { classifyFailure, type ObservedEnd } from './failure-class.ts';

const NOW = Date.UTC(2026, 5, 10, 12, 0, 0);

function seen(overrides: Partial<ObservedEnd>): ObservedEnd {
  return { exitCode: 1, signal: null, stderrTail: '', stdoutTail: '', nowMs: NOW, ...overrides };
}

describe('classifyFailure', () => {
  it.each([
    ['says nothing', {}],
    ['writes about a usage limit', { stdoutTail: 'I added a test for "usage limit reached|1781100000".' }],
    ['logs a recovered error', { stderrTail: 'API error 529 overloaded, retrying\nError: 401 Unauthorized (retried)' }],
  ])('takes exit code 0 for a turn that ended as it should when the agent %s', (_, output) => {
    expect(classifyFailure(seen({ exitCode: 0, ...output }))).toBeNull();
  });

  it.each<[FailureClass, string]>([
    ['fatal', 'Error: 401 Unauthorized'],
    ['fatal', 'API Error: 403 {"error":{"type":"forbidden"}}'],
    ['fatal', 'Invalid API key · Please run /login'],
    ['fatal', 'GEMINI_API_KEY: api key not valid. Please pass a valid API key.'],
    ['fatal', 'You are not logged in. Run `agent login` first.'],
    ['fatal', 'Credit balance is too low'],
    ['fatal', '{"error":{"code":"insufficient_quota"}}'],
    ['fatal', 'ERROR: Quota exceeded. Check your plan and billing details.'],
    ['transient', "ERROR: We're currently experiencing high demand, which may cause temporary errors."],
    ['fatal', "error: unknown option '--frobnicate'"],
    ['fatal', "error: unexpected argument '--yolo' found"],
    ['usage-limit', 'Claude usage limit reached.'],
    ['usage-limit', "You've hit your usage limit. Upgrade or try again later."],
    ['usage-limit', '5-hour limit reached'],
    ['transient', 'API Error: 529 {"type":"overloaded_error"}'],
    ['transient', 'HTTP status 503'],
    ['transient', 'read ECONNRESET'],
    ['transient', 'connect ETIMEDOUT 10.0.0.1:443'],
    ['transient', 'Error: socket hang up'],
    ['rate-limit', '429 Too Many Requests'],
    ['transient', 'stream disconnected before completion'],
    ['unknown', 'TypeError: undefined is not a function'],
    ['unknown', ''],
    ['unknown', 'line 401: the test failed'],
    ['unknown', '  grep: unknown option -- z, said a tool inside the agent'],
  ])('calls it %s when stderr ends with %j', (expected, stderrTail) => {
    expect(classifyFailure(seen({ stderrTail }))?.class).toBe(expected);
  });

  it.each([
    '',
    'API Error: 500 Internal Server Error',
    'Segmentation fault (core dumped)',
    'read: connection reset by peer',
  ])('does not read the work of the agent on stdout, whatever stderr says: %j', (stderrTail) => {
    const alone = classifyFailure(seen({ stderrTail }))?.class;
    for (const stdoutTail of [
      'I wrote a test for the text: usage limit reached, try again in 2 hours',
      'The login page now says: invalid API key, please log in.',
      'Credit balance is too low',
    ])
      expect(classifyFailure(seen({ stderrTail, stdoutTail }))?.class).toBe(alone);
  });

  it('reads an error that a client printed on stdout in its own form, when stderr says nothing', () => {
    const stdoutError = 'Claude AI usage limit reached|1781100000';
    const limit = { class: 'usage-limit', resumeAt: 1_781_100_000_000 };
    expect(classifyFailure(seen({ stdoutError }))).toMatchObject(limit);
    const warning =
      '(node:12) ExperimentalWarning: SQLite is an experimental feature\n(Use `node --trace-warnings ...` to show where)\n';
    expect(classifyFailure(seen({ stdoutError, stderrTail: warning }))).toMatchObject(limit);
    expect(classifyFailure(seen({ stdoutError, stderrTail: 'Segmentation fault' }))?.class).toBe('unknown');
  });

  it('waits for a rate limit that says when it ends, and calls one that does not a rate limit', () => {
    const timed = classifyFailure(seen({ stderrTail: 'Rate limit exceeded, resets at 2026-06-10T14:00:00Z' }));
    expect(timed).toMatchObject({ class: 'usage-limit', resumeAt: Date.UTC(2026, 5, 10, 14) });
    expect(classifyFailure(seen({ stderrTail: 'Rate limit exceeded' }))?.class).toBe('rate-limit');
  });

  it.each<[string, Partial<ObservedEnd>, FailureClass]>([
    [
      'a command the shell cannot find',
      { exitCode: 127, trouble: 'not-found', troubleDetail: '/bin/sh: 1: nope: not found' },
      'fatal',
    ],
    [
      'a command the shell may not run',
      { exitCode: 126, trouble: 'not-executable', troubleDetail: '/bin/sh: 1: ./a: Permission denied' },
      'fatal',
    ],
    [
      'a tool inside the agent that was not found',
      { exitCode: 127, trouble: 'not-found', troubleDetail: 'sh: 1: jest: not found' },
      'unknown',
    ],
    ['a project directory that is gone', { exitCode: null, trouble: 'cwd-missing', troubleDetail: 'gone' }, 'fatal'],
    [
      'a system that refuses to start it',
      { exitCode: null, trouble: 'spawn-failed', troubleDetail: 'EAGAIN' },
      'unknown',
    ],
    [
      'cmd.exe that does not know it',
      { stderrTail: "'nope' is not recognized as an internal or external command," },
      'fatal',
    ],
    ['a signal', { exitCode: null, signal: 'SIGKILL' }, 'unknown'],
  ])('judges %s', (_, end, expected) => {
    expect(classifyFailure(seen(end))?.class).toBe(expected);
  });

  it('keeps the end of what was said, bounded, with the exit code before it', () => {
    const failure = classifyFailure(seen({ exitCode: 3, stderrTail: `${'x'.repeat(5000)} the end\n` }));
    expect(failure?.detail).toMatch(/^exit code 3: x+ the end$/u);
    expect(failure?.detail.length).toBeLessThanOrEqual(600);
    expect(failure?.exitCode).toBe(3);
    expect(classifyFailure(seen({ exitCode: null, signal: 'SIGSEGV' }))?.detail).toBe(
      'ended by SIGSEGV, and no message',
    );
  });
});
