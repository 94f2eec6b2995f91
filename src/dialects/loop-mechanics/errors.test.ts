import { describe, expect, it } from 'vitest';
import type { Table } from '../../../test/support/errors-of-runners.ts';
import { LINTERS, RUNNERS } from '../../../test/support/errors-of-runners.ts';
import { NETWORK, PACKAGES, SYSTEM } from '../../../test/support/errors-of-services.ts';
import { classifyError, classOfFailure, failureClassOf } from './errors.ts';
import type { ErrorClass } from './state.ts';
import { cpuMsOf } from '../../../test/support/cpu-time.ts';

function rowsOf(table: Table): readonly (readonly [string, ErrorClass, string])[] {
  return Object.entries(table).flatMap(([program, classes]) =>
    Object.entries(classes).flatMap(([name, messages]) =>
      messages.map((message) => [program, name as ErrorClass, message] as const),
    ),
  );
}

describe('classifyError', () => {
  it.each(rowsOf(RUNNERS))('knows what test runners print: %s, %s: %j', (_, name, message) => {
    expect(classifyError(message)).toBe(name);
  });

  it.each(rowsOf(LINTERS))('knows what linters and compilers print: %s, %s: %j', (_, name, message) => {
    expect(classifyError(message)).toBe(name);
  });

  it.each(rowsOf(PACKAGES))('knows what package managers print: %s, %s: %j', (_, name, message) => {
    expect(classifyError(message)).toBe(name);
  });

  it.each(rowsOf(SYSTEM))('knows what languages, shells and git print: %s, %s: %j', (_, name, message) => {
    expect(classifyError(message)).toBe(name);
  });

  it.each(rowsOf(NETWORK))('knows what networks and model APIs answer: %s, %s: %j', (_, name, message) => {
    expect(classifyError(message)).toBe(name);
  });

  it('reads the beginning and the end of a long output: runners print their summary last', () => {
    expect(classifyError(`${'.\n'.repeat(50_000)}Tests: 2 failed`)).toBe('logic');
    expect(classifyError(`FAIL src/x.test.ts\n${'.\n'.repeat(50_000)}`)).toBe('logic');
  });

  it.each([
    ['logic', '1) should add'],
    ['logic', 'FAILURES!'],
    ['blocking', 'npm ERR! 404 Not Found'],
    ['blocking', 'ERR_MODULE_NOT_FOUND'],
    ['blocking', 'sudo: a password is required'],
    ['logic', "Error [ERR_MODULE_NOT_FOUND]: Cannot find module './x.js'"],
  ])('knows the short lines too: %s: %s', (name, message) => {
    expect(classifyError(message)).toBe(name);
  });

  it('takes a failed test for logic, whatever it failed with', () => {
    expect(classifyError('FAIL src/x.test.ts\nError: connect ECONNREFUSED 127.0.0.1:5432')).toBe('logic');
    expect(classifyError("1 failed\nAssertionError: expected 'permission denied' to be 'ok'")).toBe('logic');
    expect(classifyError("FAIL src/x.test.ts\nCannot find module 'left-pad' from 'src/x.ts'")).toBe('blocking');
  });

  it.each(['test '.repeat(3000), 'a'.repeat(16_000), '1 '.repeat(8000), 'status '.repeat(2000), '('.repeat(16_000)])(
    'reads long nonsense at once',
    (text) => {
      expect(cpuMsOf(() => expect(classifyError(text)).toBe('unknown'))).toBeLessThan(2000);
    },
  );
});

it('never classifies a sentence of ours, however it is worded', () => {
  for (const detail of ['the turn failed', 'ECONNRESET: network error', '401 unauthorized']) {
    expect(failureClassOf({ detail, unexplained: true })).toBe('unknown');
    expect(classOfFailure({ class: 'unknown', detail, unexplained: true })).toBe('unknown');
  }
  expect(failureClassOf({ detail: 'ECONNRESET: network error' })).toBe('transient');
});
