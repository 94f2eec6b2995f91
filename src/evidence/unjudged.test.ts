import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../system/clock.ts';
import { thisWorker } from '../system/worker-identity.ts';
import { filesOf } from './job-files.ts';
import { isUnjudged } from './unjudged.ts';

const STARTED_MS = 1_700_000_000_000;

/** A job of a loop that a hook started at that time; `mine`: its fields. */
function aJob(mine: object): string {
  const home = mkdtempSync(path.join(tmpdir(), 'tireless-unjudged-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const { job } = filesOf({ home, loop: 'a', key: 'k' });
  mkdirSync(path.dirname(job), { recursive: true });
  writeFileSync(job, JSON.stringify({ id: 'j', batch: {}, outlived: false, hook: DEAD, voucher: 'v', ...mine }));
  utimesSync(job, STARTED_MS / 1000, STARTED_MS / 1000);
  return home;
}

const ME = thisWorker(systemClock());
const DEAD = { ...ME, startTime: 'another' };

it('a stop is unjudged when its hook is gone and nothing has happened since', () => {
  const home = aJob({});
  expect([-1, 0, 1].map((later) => isUnjudged(home, 'a', STARTED_MS + later))).toEqual([true, false, false]);
});

it('a stop is not unjudged while its hook lives, or when the hook left its checks running', () => {
  expect(isUnjudged(aJob({ hook: ME }), 'a', 0)).toBe(false);
  expect(isUnjudged(aJob({ outlived: true }), 'a', 0)).toBe(false);
});
