import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aCheck } from '../../test/support/a-loop.ts';
import { aProject, isRunning } from '../../test/support/a-project.ts';
import type { CheckResult } from '../core/evidence.ts';
import { bytesOf } from '../core/quoting.ts';
import { runSteps, runStepsSync } from './command-steps.ts';
import { runCheck } from './run-check.ts';

const TAIL_BYTES_MAX = 4096;

describe.each([
  ['run check', async (run: Parameters<typeof runCheck>[0]) => runSteps(runCheck(run))],
  ['run check, synchronously', async (run: Parameters<typeof runCheck>[0]) => runStepsSync(runCheck(run))],
])('%s', (_, interpret) => {
  const run = (command: string, more: { cwd?: string; timeoutMs?: number } = {}): Promise<CheckResult> => {
    const check = aCheck('a check', { probe: { kind: 'command', command }, timeoutMs: more.timeoutMs ?? 20_000 });
    return interpret({ loop: 'a-loop', cwd: more.cwd ?? aProject(), check, command, tailBytesMax: TAIL_BYTES_MAX });
  };

  it('passes on exit code 0', async () => {
    expect(await run('echo fine')).toMatchObject({ name: 'a check', result: 'passed', exitCode: 0, tail: 'fine' });
  });

  it('fails on any other exit code, with the end of the output and its fingerprint', async () => {
    const result = await run('echo out; echo err >&2; exit 3');
    expect(result).toMatchObject({ result: 'failed', exitCode: 3, tail: 'out\nerr' });
    expect(result.fingerprint).toMatch(/^[0-9a-f]{16}$/);
  });

  it('fails when a signal ends it', async () => {
    const result = await run('kill -s SEGV $$');
    expect(result).toMatchObject({ result: 'failed', tail: expect.stringContaining('[ended by SIGSEGV]') });
    expect(result).not.toHaveProperty('exitCode');
  });

  it('runs in the project, without a terminal, with an empty input and its own name', async () => {
    const cwd = aProject({ 'a.txt': '' });
    const command = 'ls; cat; test -t 0 || test -t 1 || echo no terminal; echo "$TIRELESS_LOOP $TIRELESS_CHECK"';
    expect((await run(command, { cwd })).tail).toBe('a.txt\nno terminal\na-loop a check');
  });

  it('hands the command to the shell as it is', async () => {
    expect((await run(`printf '%s|' "a,b" 'c d' $((1+1))`)).tail).toBe('a,b|c d|2|');
  });

  it('is unknown when its time is over, and what it said is kept', async () => {
    const result = await run('echo begun; sleep 600', { timeoutMs: 700 });
    expect(result).toMatchObject({ result: 'unknown', unknown: 'timed-out', tail: 'begun' });
    expect(result).not.toHaveProperty('fingerprint');
  });

  it('is unknown when the command does not exist', async () => {
    expect(await run('no-such-command-here')).toMatchObject({
      result: 'unknown',
      unknown: 'not-runnable',
      exitCode: 127,
    });
  });

  it('is unknown when the command may not be executed', async () => {
    const cwd = aProject({ 'script.sh': 'echo hi' });
    expect(await run('./script.sh', { cwd })).toMatchObject({
      result: 'unknown',
      unknown: 'not-runnable',
      exitCode: 126,
    });
  });

  it("fails when only a program inside the check was not found, or the code is the check's own", async () => {
    expect(await run('echo "sh: 1: vitest: not found" >&2; exit 127')).toMatchObject({
      result: 'failed',
      exitCode: 127,
    });
    expect(await run('exit 126')).toMatchObject({ result: 'failed', exitCode: 126 });
  });

  it('is unknown when the project directory is gone', async () => {
    const cwd = path.join(aProject(), 'gone');
    expect(await run('true', { cwd })).toMatchObject({
      result: 'unknown',
      unknown: 'not-runnable',
      tail: `The directory ${cwd} does not exist.`,
    });
  });

  it('gives the same fingerprint to two runs that fail the same', async () => {
    const command = 'echo "pid $$ at $(date +%s%N)"; echo "$PWD/a.ts broke" >&2; exit 1';
    const [first, second] = [await run(command), await run(command)];
    expect(first.tail).not.toBe(second.tail);
    expect(second.fingerprint).toBe(first.fingerprint);
  });

  it('keeps a bounded, clean end of a long output', async () => {
    const result = await run(
      String.raw`i=0; while [ $i -lt 3000 ]; do printf '\033[32mline %s äöü\033[0m\n' $i; i=$((i+1)); done; exit 1`,
    );
    expect(bytesOf(result.tail)).toBeLessThanOrEqual(TAIL_BYTES_MAX);
    expect(result.tail).toMatch(/^\[\d+ bytes left out\]\n/);
    expect(result.tail).toMatch(/line 2998 äöü\nline 2999 äöü$/);
    expect(result.tail).not.toMatch(/\p{Cc}(?<!\n)|\uFFFD/u);
  });

  it.each([
    ['at the beginning', 'echo "a.c:3:5: error: no such thing"; seq 1 100000; exit 1'],
    ['in the middle', 'seq 1 2000; echo "a.c:3:5: error: no such thing"; seq 1 2000; exit 1'],
  ])('keeps the failure %s of a long output, and its end', async (_where, command) => {
    const { tail } = await run(command);
    expect(bytesOf(tail)).toBeLessThanOrEqual(TAIL_BYTES_MAX);
    expect(tail).toContain('a.c:3:5: error: no such thing\n');
    expect(tail).toMatch(/\n\d{4,6}$/);
  });

  it('reports how many tests ran, passed or failed', async () => {
    const test = "const { test } = require('node:test'); test('a', () => {}); test.skip('b', () => {});";
    const cwd = aProject({ 'a.test.js': test, 'b.test.js': `${test} test('c', () => { throw new Error('no'); });` });
    const command = `${JSON.stringify(process.execPath)} --test`;
    expect(await run(`${command} a.test.js`, { cwd })).toMatchObject({ tests: { ran: 1, failed: 0, skipped: 1 } });
    expect(await run(command, { cwd })).toMatchObject({ result: 'failed', tests: { ran: 3, failed: 1, skipped: 2 } });
  });

  it('reports no number of tests when the code under test ends the process', async () => {
    const test = "const { test } = require('node:test'); test('a', () => {}); process.exit(0);";
    const cwd = aProject({ 'a.test.js': test });
    for (const flags of ['--test ', '']) {
      const result = await run(`${JSON.stringify(process.execPath)} ${flags}a.test.js`, { cwd });
      expect(result).toMatchObject({ result: 'passed' });
      expect(result).not.toHaveProperty('tests');
    }
  });

  it('reports no number of tests where nothing was tested', async () => {
    expect(await run('echo 3 passed')).not.toHaveProperty('tests');
  });

  it('counts the tests of programs whose output is far apart', async () => {
    const program =
      "echo 'running 2 tests'; echo 'test a ... ok'; echo 'test b ... ok'; echo 'test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured'";
    const noise = 'i=0; while [ $i -lt 3000 ]; do echo "a line of output that means nothing, $i"; i=$((i+1)); done';
    expect(await run(`${program}; ${noise}; ${program}`)).toMatchObject({ tests: { ran: 4 } });
  });

  it('ends a process that the check left running', async () => {
    const cwd = aProject();
    const detached = 'setsid sleep 600 >/dev/null 2>&1 & echo $! > pid';
    // Wait until the process has become `sleep`: one that is still being created cannot be told from others.
    const result = await run(`${detached}; until ps -o comm= -p $! | grep -q sleep; do :; done`, { cwd });
    expect(result).toMatchObject({ result: 'passed', tail: '[ended what it left running: 1]' });
    expect(isRunning(readFileSync(path.join(cwd, 'pid'), 'utf8').trim())).toBe(false);
  });

  it('survives a check that ends its own process group', async () => {
    expect(await run('kill 0; sleep 600')).toMatchObject({ result: 'failed' });
  });
});

describe('run check, with both streams', () => {
  it('shows them in the order they came', async () => {
    const command = 'for i in 1 2 3; do echo out $i; sleep 0.05; echo err $i >&2; sleep 0.05; done; exit 1';
    const check = aCheck('a', { probe: { kind: 'command', command } });
    const result = await runSteps(
      runCheck({ loop: 'a-loop', cwd: aProject(), check, command, tailBytesMax: TAIL_BYTES_MAX }),
    );
    expect(result.tail).toBe('out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3');
  });

  it('holds little memory while a check prints a lot', async () => {
    const command = 'head -c 200000000 /dev/zero | tr "\\0" "a"; exit 1';
    const check = aCheck('a', { probe: { kind: 'command', command } });
    const before = process.memoryUsage().rss;
    const result = await runSteps(
      runCheck({ loop: 'a-loop', cwd: aProject(), check, command, tailBytesMax: TAIL_BYTES_MAX }),
    );
    expect(result.tail).toMatch(/^\[\d+ bytes left out\]\na+$/);
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
  });
});
