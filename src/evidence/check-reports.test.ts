import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { CheckResult } from '../core/evidence.ts';
import { runSteps } from './command-steps.ts';
import { runCheck } from './run-check.ts';

const JUNIT = '<testsuites><testsuite tests="2"><testcase name="a"/><testcase name="b"/></testsuite></testsuites>';
const FORGED = `<testsuite>${'<testcase/>'.repeat(99)}</testsuite>`;
const WRITE = `printf '%s' '${JUNIT}' > out.xml`;

function aFolder(files: Readonly<Record<string, string>> = {}): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'tireless-reports-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  return folder;
}

function run(cwd: string, command: string, reports: readonly string[] = ['out.xml']): Promise<CheckResult> {
  const probe = { kind: 'command', command } as const;
  const check = { name: 'unit', probe, timeoutMs: 60_000, holdout: false, reports };
  return runSteps(runCheck({ loop: 'l', cwd, check, command, tailBytesMax: 4096 }));
}

describe('a check with a report', () => {
  it('has the number of tests from the file, and not from what it prints', async () => {
    const said = 'printf "TAP version 13\\n1..1\\nok 1\\n"';
    expect(await run(aFolder(), `${WRITE}; ${said}`)).toMatchObject({
      result: 'passed',
      tests: { ran: 2, failed: 0, skipped: 0 },
    });
  });

  it('has the numbers of a failure too', async () => {
    const xml = JUNIT.replace('<testcase name="b"/>', '<testcase name="b"><failure/></testcase>');
    expect(await run(aFolder(), `printf '%s' '${xml}' > out.xml; exit 1`)).toMatchObject({
      result: 'failed',
      tests: { ran: 2, failed: 1 },
    });
    expect(await run(aFolder(), 'exit 1')).toMatchObject({ result: 'failed' });
  });

  it('adds up all files of a pattern that this run wrote, and no others', async () => {
    const cwd = aFolder({ 'build/old.xml': FORGED, 'src.xml': JUNIT });
    expect(await run(cwd, `cp src.xml build/one.xml; cp src.xml build/two.xml`, ['build/*.xml'])).toMatchObject({
      result: 'passed',
      tests: { ran: 4 },
    });
  });

  it('may write the same bytes again', async () => {
    const cwd = aFolder();
    await run(cwd, WRITE);
    expect(await run(cwd, WRITE)).toMatchObject({ result: 'passed', tests: { ran: 2 } });
  });

  it.each([
    ['was not written', 'true', 'out.xml was not written'],
    ['is broken', `printf '<testsuite><testcase>' > out.xml`, 'out.xml is not a complete report in a known format'],
    ['is something else', 'echo hello > out.xml', 'out.xml is not a complete report in a known format'],
    ['is a folder', 'mkdir out.xml', 'out.xml is a folder'],
    ['is a pipe', 'mkfifo out.xml', 'out.xml is a link, leads out of the project, or is not a regular file'],
    ['cannot be opened', `${WRITE}; rm out.xml; ln -s /nowhere/at/all out.xml`, 'out.xml is a link'],
  ])('has no result when the report %s', async (_, command, why) => {
    const { result, unknown, tail, tests } = await run(aFolder(), command);
    expect({ result, unknown, tests }).toEqual({ result: 'unknown', unknown: 'no-report', tests: undefined });
    expect(tail).toContain(`[no report: ${why}`);
  });

  it('does not believe a file that was there before, whatever time it carries', async () => {
    const cwd = aFolder({ 'out.xml': FORGED });
    utimesSync(path.join(cwd, 'out.xml'), new Date('2040-01-01'), new Date('2040-01-01'));
    expect(await run(cwd, 'true')).toMatchObject({ unknown: 'no-report' });
    expect((await run(cwd, 'true')).tail).toContain('out.xml is older than this run');
  });

  it('does not read through a link, nor out of the project', async () => {
    const elsewhere = aFolder({ 'real.xml': '' });
    const linked = aFolder();
    symlinkSync(path.join(elsewhere, 'real.xml'), path.join(linked, 'out.xml'));
    expect(await run(linked, WRITE)).toMatchObject({ unknown: 'no-report' });
    const folder = aFolder();
    symlinkSync(elsewhere, path.join(folder, 'build'));
    expect(await run(folder, `printf '%s' '${JUNIT}' > build/out.xml`, ['build/out.xml'])).toMatchObject({
      unknown: 'no-report',
    });
  });

  it('does not read 100 MB', async () => {
    const cwd = aFolder();
    const big = path.join(cwd, 'big');
    writeFileSync(big, JUNIT);
    truncateSync(big, 100 * 1024 * 1024);
    const { unknown, tail } = await run(cwd, 'mv big out.xml');
    expect({ unknown, tail }).toEqual({ unknown: 'no-report', tail: expect.stringContaining('out.xml is too large') });
  });
});
