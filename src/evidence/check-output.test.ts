import { describe, expect, it } from 'vitest';
import { cleanText, outputFingerprint } from './check-output.ts';
import type { Output } from './check-output.ts';
import { cpuMsOf } from '../../test/support/cpu-time.ts';

const ESC = '\u001B';

function fingerprint(stdout: string, more: Partial<Output> = {}): string {
  const cut = { stdout: false, stderr: false };
  return outputFingerprint({ exitCode: 1, stdout, stderr: '', cut, cwd: '/home/me/project', ...more });
}

describe('clean text', () => {
  it.each([
    ['colours', `${ESC}[31mred${ESC}[0m`, 'red'],
    ['a link', `${ESC}]8;;http://a.b${ESC}\\here${ESC}]8;;${ESC}\\`, 'here'],
    ['a title', `${ESC}]0;title\u0007text`, 'text'],
    ['a stray start of a title', `${ESC}]0;title\nnext line`, '\nnext line'],
    ['a line drawn again and again', '10%\r50%\r100%\ndone', '100%\ndone'],
    ['Windows line ends', 'a\r\nb\r\n', 'a\nb\n'],
    ['control characters', 'a\u0000b\u0008c\u009Bd\te', 'abcd\te'],
    ['reversed writing', 'a\u202Eb', 'ab'],
  ])('takes out %s', (_, raw, clean) => {
    expect(cleanText(raw)).toBe(clean);
  });

  it('takes linear time on rows of broken escapes', () => {
    const clean = (): void => {
      cleanText(`${ESC}[${'0'.repeat(20)}`.repeat(3000));
      cleanText(`${ESC}[${'0'.repeat(64_000)}`);
    };
    expect(cpuMsOf(clean)).toBeLessThan(1000);
  });
});

describe('output fingerprint', () => {
  it.each([
    ['durations', 'ran in 950ms', 'ran in 1.2s'],
    ['durations of two parts', 'ran in 58s', 'ran in 1m 3s'],
    ['timestamps', '2026-11-15T20:11:00.123Z start', '2026-11-16T01:02:03.4Z start'],
    ['dates in words', 'Mon Nov 15 20:11:00 2026 start', 'Tue Dec 1 01:00:59 2026 start'],
    ['addresses', 'at 0x7ffe12ab', 'at 0x55d0cc01'],
    ['hashes', 'built index-9f8e7d6c5b.js', 'built index-0a1b2c3d4e.js'],
    ['ids', 'run 123e4567-e89b-12d3-a456-426614174000', 'run 00000000-e89b-12d3-a456-42661417abcd'],
    ['temporary places', 'wrote /tmp/vitest-a8Xq/out.txt', 'wrote /tmp/vitest-Zz91k/out.txt'],
    ['line numbers', 'src/a.ts:12:5 unexpected', 'src/a.ts:14:9 unexpected'],
    ['colours', `${ESC}[31mfails${ESC}[0m`, 'fails'],
    ['the order of tests that run side by side', 'FAIL a\nFAIL b', 'FAIL b\nFAIL a'],
    ['the width of columns', 'a      1 ms', 'a    10 ms'],
    ['progress bars', '[=====>    ] 50%', '[========> ] 80%'],
  ])('is blind to %s', (_, first, second) => {
    expect(fingerprint(second)).toBe(fingerprint(first));
  });

  it.each([
    ['which test fails', 'FAIL parses dates', 'FAIL parses times'],
    ['numbered names', 'FAIL case1', 'FAIL case2'],
    ['the message', 'expected a to be b', 'expected a to be c'],
    ['how many fail', 'Tests: 3 failed, 7 passed', 'Tests: 2 failed, 8 passed'],
    ['how many errors there are', 'FAILED (failures=2)', 'FAILED (failures=1)'],
  ])('tells %s', (_, first, second) => {
    expect(fingerprint(second)).not.toBe(fingerprint(first));
  });

  it('does not take the time in front of a log line for a count', () => {
    expect(fingerprint('20:11:55 ERROR no')).toBe(fingerprint('20:12:03 ERROR no'));
    expect(fingerprint('2026-01-01 20:11:55,123 errors')).toBe(fingerprint('2026-01-01 20:11:55,456 errors'));
  });

  it('is the same wherever the project lies', () => {
    const here = fingerprint('at /home/me/project/src/a.ts', { cwd: '/home/me/project' });
    expect(fingerprint('at /srv/p/src/a.ts', { cwd: '/srv/p' })).toBe(here);
  });

  it('tells the exit code and the streams apart', () => {
    const all = [fingerprint('a'), fingerprint('a', { exitCode: 2 }), fingerprint('', { stderr: 'a' })];
    expect(new Set(all).size).toBe(3);
  });

  it('does not depend on where the kept end of a long output begins', () => {
    const lines = (from: number): string =>
      Array.from({ length: 300 - from }, (_, index) => `word${from + index}`).join('\n');
    const cut = { stdout: true, stderr: false };
    expect(fingerprint(`rest\n${lines(7)}`, { cut })).toBe(fingerprint(`rest of a line\n${lines(3)}`, { cut }));
  });
});
