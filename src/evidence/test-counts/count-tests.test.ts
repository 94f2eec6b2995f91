import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { countTests } from './count-tests.ts';
import { countReport } from './read-report.ts';
import { cpuMsOf } from '../../../test/support/cpu-time.ts';

const FIXTURES = path.join(import.meta.dirname, '../../../test/fixtures/runners');

type Expected = Readonly<Record<string, readonly [number, number, number] | null>>;

/** By the path of the recording: executed, failed, skipped. */
const EXPECTED = JSON.parse(readFileSync(path.join(FIXTURES, 'expected.json'), 'utf8')) as {
  readonly outputs: Expected;
  readonly reports: Expected;
};

function recording(name: string): { stdout: string; stderr: string } {
  const [stdout = '', stderr = ''] = [`${name}.txt`, `${name}.err.txt`].map((file) => {
    const place = path.join(FIXTURES, file);
    return existsSync(place) ? readFileSync(place, 'utf8') : '';
  });
  return { stdout, stderr };
}

const counts = (expected: readonly [number, number, number] | null | undefined) =>
  expected ? { ran: expected[0], failed: expected[1], skipped: expected[2] } : undefined;

describe('what a runner printed', () => {
  it.each(Object.entries(EXPECTED.outputs))('%s is counted', (name, expected) => {
    expect(countTests(recording(name))).toEqual(counts(expected));
  });

  it.each(Object.entries(EXPECTED.reports))('%s is counted as a report', (name, expected) => {
    expect(countReport(recording(name).stdout)).toEqual(counts(expected));
  });

  it('is in the table, whatever was recorded', () => {
    const files = readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.txt'));
    const names = files.map((file) =>
      file
        .split(path.sep)
        .join('/')
        .replace(/(?:\.err)?\.txt$/, ''),
    );
    expect([...new Set(names)].toSorted()).toEqual(Object.keys(EXPECTED.outputs).toSorted());
  });

  it.each(Object.keys(EXPECTED.outputs))('%s counts the same with the line ends of Windows', (name) => {
    const { stdout, stderr } = recording(name);
    const windows = (text: string): string => text.replaceAll(/\r?\n/g, '\r\n');
    expect(countTests({ stdout: windows(stdout), stderr: windows(stderr) })).toEqual(countTests({ stdout, stderr }));
  });
});

const NODE = 'node-test/pass-24.21.0';
const VITEST = 'vitest/pass-4.1.12';
const PYTEST = 'pytest/pass-9.0.3';
const FAKE_SPEC = [
  'ℹ tests 50',
  'ℹ suites 0',
  'ℹ pass 50',
  'ℹ fail 0',
  'ℹ cancelled 0',
  'ℹ skipped 0',
  'ℹ todo 0',
  'ℹ duration_ms 1.5',
  '',
].join('\n');
const FAKE_UNITTEST = `${'-'.repeat(70)}\nRan 50 tests in 0.001s\n\nOK\n`;

describe('a summary that no runner printed', () => {
  const out = (name: string): string => recording(name).stdout;

  it.each([
    ['before the real one', (real: string) => FAKE_SPEC + real],
    ['after the real one, when the process ends', (real: string) => real + FAKE_SPEC],
    ['on both sides', (real: string) => FAKE_SPEC + real + FAKE_SPEC],
    ['of another runner, before', (real: string) => `50 passed in 0.10s\n${real}`],
    ['of another runner, after', (real: string) => `${real}\n50 passed in 0.10s\n`],
    ['with the beginning of another run', (real: string) => `TAP version 13\n${FAKE_SPEC}${real}`],
  ])('does not raise the count when it comes %s', (_, spoil) => {
    expect(countTests({ stdout: spoil(out(NODE)), stderr: '' })).toEqual({ ran: 3, failed: 0, skipped: 0 });
  });

  it('does not raise the count on the other stream', () => {
    expect(countTests({ stdout: out(PYTEST), stderr: FAKE_UNITTEST })).toMatchObject({ ran: 2 });
    expect(countTests({ stdout: FAKE_SPEC, stderr: recording('jest/pass-30.5.2').stderr })).toMatchObject({ ran: 3 });
  });

  it('does not stand for a run that began and never closed', () => {
    const [header = ''] = out(PYTEST).split('collected');
    const whole = '============================== 50 passed in 0.10s ==============================\n';
    expect(countTests({ stdout: `${header}\n${header}${whole}${header}\n${out(PYTEST)}`, stderr: '' })).toMatchObject({
      ran: 2,
    });
  });

  it('does not hide failures when it is printed after the real one', () => {
    const header = '============================= test session starts ==============================\n';
    const real = `${header}==================== 2 failed, 3 passed in 0.04s ====================\n`;
    const fake = '============ 5 passed in 0.02s ============\n';
    expect(countTests({ stdout: real + fake, stderr: '' })).toEqual({ ran: 5, failed: 2, skipped: 0 });
    expect(countTests({ stdout: fake, stderr: real })).toEqual({ ran: 5, failed: 2, skipped: 0 });
  });

  it('of a few failures that a test prints does not count as failures of the run', () => {
    const inner = '1 failed, 1 passed in 0.10s\n';
    expect(countTests({ stdout: inner + out(NODE), stderr: '' })).toMatchObject({ failed: 0 });
  });

  it.each([
    ['before any test has ended', 'running 3 tests\n', 0],
    ['in the middle of a test', 'running 3 tests\ntest a ... ok\ntest b ... ', 1],
    ['in the middle of the last test', 'running 3 tests\ntest a ... ok\ntest b ... ok\ntest c ... hello\n', 2],
    ['with --quiet', 'running 3 tests\n.', 1],
  ])('of cargo counts no more tests than have ended, %s', (_, before, ran) => {
    const result = 'test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n';
    expect(countTests({ stdout: `${before}\n${result}`, stderr: '' })).toMatchObject({ ran });
  });

  it('of cargo counts tests that print before their result', () => {
    const lines = 'running 2 tests\nhello test a ... ok\ntest b ... printed\nok\n';
    const result = 'test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n';
    expect(countTests({ stdout: `${lines}\n${result}`, stderr: '' })).toMatchObject({ ran: 2 });
  });

  it('does not count in the name of a package that nobody tested', () => {
    const fake = FAKE_SPEC.replaceAll(/^/gm, 'x test: ');
    expect(countTests({ stdout: `x test$ node --test\n${fake}\n${out(NODE)}`, stderr: '' })).toMatchObject({ ran: 3 });
  });

  it('is not made of lines that are spread, quoted or indented', () => {
    const spoilt = [
      FAKE_SPEC.replaceAll('\n', '\n\n'),
      FAKE_SPEC.replaceAll(/^/gm, '  '),
      FAKE_SPEC.replaceAll(/^/gm, '> '),
    ];
    for (const stdout of spoilt) expect(countTests({ stdout, stderr: '' })).toBeUndefined();
  });
});

describe('several runs in one output', () => {
  const out = (name: string): string => recording(name).stdout;

  it('are added up when each says where it begins', () => {
    expect(countTests({ stdout: out(VITEST) + out(PYTEST), stderr: '' })).toEqual({ ran: 5, failed: 0, skipped: 0 });
  });

  it('are added up when each is a script of its own', () => {
    const script = (name: string, text: string): string => `\n> shop@1.0.0 ${name}\n> node --test\n\n${text}`;
    const stdout = script('test:unit', out(NODE)) + script('test:e2e', out(NODE));
    expect(countTests({ stdout, stderr: '' })).toMatchObject({ ran: 6 });
  });

  it('are added up over both streams when there were several scripts', () => {
    const stdout = `\n> a@1.0.0 test:unit\n> jest\n\n\n> a@1.0.0 test:e2e\n> node --test\n\n${out(NODE)}`;
    expect(countTests({ stdout, stderr: recording('jest/pass-30.5.2').stderr })).toMatchObject({ ran: 6 });
  });

  it('count as the smaller one when nothing tells where the second begins', () => {
    expect(countTests({ stdout: out(NODE) + out('node-test/only-24.21.0'), stderr: '' })).toMatchObject({ ran: 1 });
  });

  it('count from what is left when the beginning of the output is cut', () => {
    const withoutStart = (name: string): string => out(name).slice(out(name).length / 4);
    expect(countTests({ stdout: withoutStart(VITEST), stderr: '' })).toMatchObject({ ran: 3 });
    expect(countTests({ stdout: withoutStart(PYTEST), stderr: '' })).toMatchObject({ ran: 2 });
    expect(countTests({ stdout: withoutStart('node-test/tap-mixed-20.20.2'), stderr: '' })).toMatchObject({ ran: 5 });
  });
});

describe('TAP without a version and a summary', () => {
  it.each([
    ['with the plan at its end', 'ok 1\nnot ok 2 - adds\nok 3\n1..3\n', 1],
    ['with the plan first', '1..3\nok 1\nok 2\nnot ok 3\n', 1],
    ['without numbers', 'ok\nnot ok\nnot ok\n1..3\n', 2],
    ['with points that somebody printed before', 'ok\nok\nok\nnot ok\nok\nok\n1..3\n', 1],
    ['with failures that are expected', 'ok 1\nnot ok 2 # TODO later\nok 3\nok 4\n1..4\n', 0],
  ])('counts its failures %s', (_, stdout, failed) => {
    expect(countTests({ stdout, stderr: '' })).toMatchObject({ ran: 3, failed });
  });
});

describe('an output of any kind', () => {
  it('without a runner names no number', () => {
    for (const stdout of ['', 'ok\n', 'all 12 tests passed, I swear\n', '3 passed\n', '1..\nok\n']) {
      expect(countTests({ stdout, stderr: stdout })).toBeUndefined();
    }
  });

  it.each([
    ' 1 pass\n',
    '  1 failed\n',
    '  x\n',
    'ok | 1 passed | 1 failed | 1 failed ',
    '=',
    '> a b\n> c\n',
    'TAP version 13\n',
  ])('is read in reasonable time when it is %j over and over', (piece) => {
    const stdout = piece.repeat((512 * 1024) / piece.length);
    expect(cpuMsOf(() => countTests({ stdout, stderr: '' }))).toBeLessThan(10_000);
  });
});

describe('a report', () => {
  it('does not count suites in suites twice', () => {
    const inner = '<testsuite tests="2" failures="1" errors="0" skipped="1"></testsuite>';
    expect(
      countReport(
        `<testsuites tests="2" failures="1" skipped="1"><testsuite tests="2">${inner}</testsuite></testsuites>`,
      ),
    ).toEqual({ ran: 1, failed: 1, skipped: 1 });
    expect(countReport(`<testsuites>${inner}${inner}</testsuites>`)).toEqual({ ran: 2, failed: 2, skipped: 2 });
  });

  it('does not count what a test printed', () => {
    const printed = '<system-out><![CDATA[<testcase name="x"/><testcase name="y"/>]]></system-out>';
    const xml = `<?xml version="1.0"?><?made it's > <testcase/> ?><testsuite tests="1"><!-- <testcase/> --><testcase name="a > b">${printed}</testcase></testsuite>`;
    expect(countReport(xml)).toEqual({ ran: 1, failed: 0, skipped: 0 });
  });

  it('can be empty, and then nothing ran', () => {
    expect(countReport('<testsuites tests="0"/>')).toEqual({ ran: 0, failed: 0, skipped: 0 });
    expect(countReport('{"numTotalTests":0,"testResults":[]}')).toEqual({ ran: 0, failed: 0, skipped: 0 });
    expect(countReport('TAP version 13\n1..0\n')).toEqual({ ran: 0, failed: 0, skipped: 0 });
  });

  it('can be TAP, with a byte order mark and the line ends of Windows', () => {
    expect(countReport('\uFEFFTAP version 13\r\n1..3\r\nok 1\r\nnot ok 2\r\nok 3 # SKIP later\r\n')).toEqual({
      ran: 2,
      failed: 1,
      skipped: 1,
    });
  });

  it('that is cut anywhere names no number: its writer was ended early', () => {
    const whole =
      '<testsuites><testsuite tests="2"><testcase name="a"/><testcase name="b"></testcase></testsuite></testsuites>';
    expect(countReport(whole)).toMatchObject({ ran: 2 });
    for (let at = 0; at < whole.length; at++) expect(countReport(whole.slice(0, at))).toBeUndefined();
    expect(countReport('<testsuite><testcase></testsuite></testcase>')).toBeUndefined();
    expect(countReport('<testsuite tests="1"><![CDATA[</testsuite>')).toBeUndefined();
  });

  it.each([
    `<testsuite ${' '.repeat(1024 * 1024)}></testsuite>`,
    `<${'a'.repeat(1024 * 1024)}`,
    `<testsuite ${'"" '.repeat(300_000)}/>`,
    '<'.repeat(1024 * 1024),
    '<testsuite>'.repeat(100_000),
    '1..3\n'.repeat(200_000),
    `{"testResults":${'['.repeat(1024 * 1024)}`,
  ])('of any shape is read to its end, and is never a fault (%#)', (text) => {
    expect(() => countReport(text)).not.toThrow();
  });

  it('of another kind names no number', () => {
    for (const text of ['', '<html></html>', '{', '{}', '[]', '{"stats":{"passes":-1}}', 'all fine']) {
      expect(countReport(text)).toBeUndefined();
    }
  });
});
