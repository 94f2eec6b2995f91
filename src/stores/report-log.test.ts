import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../system/clock.ts';
import { forgetReports, openReportLog } from './report-log.ts';

const SESSION = { host: 'codex', id: 's1' };

function aHome(): string {
  const home = mkdtempSync(path.join(tmpdir(), 'report-log-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

describe('the log of reports', () => {
  it('shows each reporter those before it, first without and then with their answers', () => {
    const home = aHome();
    const log = openReportLog(home, systemClock());
    const report = { words: 'w', name: 'turn 1', began: log.now() };
    const first = log.note(SESSION, report);
    expect(first.earlier).toEqual([]);
    expect(log.note(SESSION, report).earlier).toEqual([{ words: 'w', name: 'turn 1' }]);
    first.close();
    expect(log.note(SESSION, report).earlier[0]).toMatchObject({ words: 'w', answered: { boot: report.began.boot } });
    expect(log.note({ host: 'codex', id: 's2' }, report).earlier).toEqual([]);
    forgetReports(home, SESSION);
    expect(log.note(SESSION, report).earlier).toEqual([]);
  });

  it('leaves out who died without an answer, and lines that were torn', () => {
    const home = aHome();
    const log = openReportLog(home, systemClock());
    const report = { words: 'w', began: log.now() };
    const worker = { id: 'x', machine: 'm', boot: report.began.boot, pid: 1, startTime: 'never@x' };
    mkdirSync(path.join(home, 'heard/codex'), { recursive: true });
    const dead = JSON.stringify({ kind: 'report', id: 'd', report, worker });
    writeFileSync(path.join(home, 'heard/codex/s1'), `${dead}\n{"kind":"rep`);
    expect(log.note(SESSION, report).earlier).toEqual([]);
    expect(log.note(SESSION, report).earlier).toHaveLength(1);
  });

  it('is bounded, and a home that cannot be written to is a home where nobody reported anything', () => {
    const home = aHome();
    const log = openReportLog(home, systemClock());
    const report = { words: 'w'.repeat(5000), began: log.now() };
    for (let count = 0; count < 30; count++) log.note(SESSION, report).close();
    expect(statSync(path.join(home, 'heard/codex/s1')).size).toBeLessThan(80_000);
    writeFileSync(path.join(home, 'file'), '');
    const nowhere = openReportLog(path.join(home, 'file'), systemClock());
    expect(nowhere.note(SESSION, report).earlier).toEqual([]);
  });
});
