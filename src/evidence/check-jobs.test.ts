import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aCheck, aResult } from '../../test/support/a-loop.ts';
import { aProject, aRepository, git, put } from '../../test/support/a-project.ts';
import type { CheckAnswer } from '../core/evidence.ts';
import type { ProbeAnswer, ProbeBatch } from '../engine/ports.ts';
import { systemClock } from '../system/clock.ts';
import { newId } from '../system/ids.ts';
import { thisWorker } from '../system/worker-identity.ts';
import type { JobStart, JobWorld } from './check-jobs.ts';
import { answerJob, fingerprintFiles, parseOrder } from './job-process.ts';
import { askInJob } from './check-jobs.ts';
import { forgetJobs } from './end-jobs.ts';
import type { FileLook, JobResult } from './job-files.ts';
import { newSeal, signWith } from './job-seal.ts';

const SAME: FileLook = { work: 'w', all: 'a' };

let home: string;
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'tireless-jobs-'));
});
afterEach(() => rmSync(home, { recursive: true }));

/** A session whose hooks have either no time or unlimited time, and whose jobs run when the test says so. */
function aSession(loop = 'a') {
  const files = { now: SAME };
  const answers: CheckAnswer[] = [];
  const started: JobStart[] = [];
  const waiting: JobStart[] = [];
  let vouchers: readonly string[] = [];
  const look = async (): Promise<FileLook> => files.now;
  const work = async (start: JobStart, whileRunning: () => void): Promise<void> => {
    const order = parseOrder(JSON.stringify(start.order));
    const ask = async ({ requests }: ProbeBatch): Promise<readonly ProbeAnswer[]> => {
      whileRunning();
      const result = answers.shift() ?? 'passed';
      return requests.map((): ProbeAnswer => ({ kind: 'check', result: aResult('unit', result) }));
    };
    const worker = thisWorker(systemClock());
    await answerJob({ home, loop, key: start.key, worker, order }, ask, look);
  };
  const stop = async (how: { inTime?: boolean; again?: true } = {}): Promise<readonly ProbeAnswer[]> => {
    const batch: ProbeBatch = {
      loop,
      cwd: '/project',
      requests: [{ kind: 'check', check: aCheck('unit') }],
      inOrder: false,
      vouchers,
      ...(how.again === undefined ? {} : { again: how.again }),
    };
    const world: JobWorld = {
      home,
      start: (start) => {
        started.push(start);
        waiting.push(start);
      },
      hook: thisWorker(systemClock()),
      fingerprint: look,
      sleep: async () => {
        for (const start of waiting.splice(0)) if (how.inTime === true) await work(start, () => undefined);
      },
      call: () => 'tireless',
      leftMs: () => (how.inTime === true ? 1000 : 0),
    };
    const found = await askInJob(batch, world);
    // What the journal keeps.
    for (const answer of found)
      if (answer.kind === 'check' && answer.result.voucher !== undefined)
        vouchers = [...vouchers, answer.result.voucher];
    return found;
  };
  const finish = async (whileRunning: () => void = () => undefined): Promise<void> => {
    const last = started.at(-1);
    if (last === undefined) throw new Error('no job began');
    waiting.length = 0;
    await work(last, whileRunning);
  };
  return { files, answers, started, stop, finish, forget: () => void (vouchers = []) };
}

const passed = (more: object = {}): unknown => [
  { kind: 'check', result: expect.objectContaining({ result: 'passed', ...more }) as unknown },
];
const running = [{ kind: 'check', result: expect.objectContaining({ unknown: 'still-running' }) as unknown }];
const resultFile = (): string => {
  const folder = path.join(home, 'jobs', 'a');
  const name = readdirSync(folder).find((file) => file.endsWith('.job.json')) ?? 'none';
  return path.join(folder, name.replace('.job.json', '.result.json'));
};
const readFound = (): JobResult & { signature: string } =>
  JSON.parse(readFileSync(resultFile(), 'utf8')) as JobResult & { signature: string };

describe('an answer in time', () => {
  it('counts, is not late, and is computed again by the next stop', async () => {
    const { stop, started } = aSession();
    const [answer] = await stop({ inTime: true });
    expect(answer).toMatchObject({ kind: 'check', result: { result: 'passed' } });
    expect(answer).not.toHaveProperty('result.late');
    await stop({ inTime: true });
    expect(started.map(({ mark }) => Object.keys(mark))).toEqual([['TIRELESS_JOB'], ['TIRELESS_JOB']]);
  });

  it('belongs to its job: one that was begun anew meanwhile takes no answer of the old one', async () => {
    const { stop, started, finish, forget } = aSession();
    await stop();
    const [old] = started;
    forget();
    await stop();
    expect(started).toHaveLength(2);
    if (old !== undefined) started.push(old);
    await finish();
    // Neither an answer nor a worker file.
    expect(readdirSync(path.join(home, 'jobs', 'a'))).toEqual([expect.stringMatching(/\.job\.json$/u)]);
  });

  it('belongs to its job also when that was begun anew while the checks ran', async () => {
    const { stop, finish, files } = aSession();
    await stop();
    await finish(() => {
      const file = resultFile().replace('.result.json', '.job.json');
      writeFileSync(file, JSON.stringify({ ...(JSON.parse(readFileSync(file, 'utf8')) as object), id: 'another' }));
    });
    expect(files.now).toBe(SAME);
    expect(() => readFound()).toThrow('ENOENT');
  });
});

describe('an answer that came after its hook had to leave', () => {
  it('counts as late, and again as long as the stop is not judged', async () => {
    const { stop, finish, started } = aSession();
    expect(await stop()).toEqual(running);
    await finish();
    expect(await stop()).toEqual(passed({ late: true }));
    expect(await stop()).toEqual(passed({ late: true }));
    expect(started).toHaveLength(1);
    forgetJobs(home, 'a');
    expect(await stop()).toEqual(running);
    expect(started).toHaveLength(2);
  });

  it('is waited for by the next stop when it is not there yet', async () => {
    const { stop, started } = aSession();
    expect(await stop()).toEqual(running);
    // The process of the job is this one, so it is alive.
    const file = resultFile().replace('.result.json', '.worker.json');
    writeFileSync(file, JSON.stringify({ ...thisWorker(systemClock()), before: 'w' }));
    expect(await stop({ inTime: true })).toEqual(passed({ late: true }));
    expect(started).toHaveLength(1);
  });

  it.each<readonly [string, { before?: FileLook; after?: FileLook; now?: FileLook }]>([
    ['changed while it ran', { before: { ...SAME, work: 'old' } }],
    ['changed since', { now: { ...SAME, work: 'new' } }],
    ['changed while it ran and since, back to the first', { after: { ...SAME, work: 'other' } }],
    ['that are ignored changed since', { now: { ...SAME, all: 'new' } }],
    ['could never be told', { before: noFiles(), after: noFiles(), now: noFiles() }],
    ['that are ignored could never be told', { after: { work: 'w', all: null }, now: { work: 'w', all: null } }],
  ])('is asked again when files %s', async (_, looks) => {
    const { stop, finish, started, files } = aSession();
    await stop();
    files.now = looks.before ?? SAME;
    await finish(() => void (files.now = looks.after ?? SAME));
    files.now = looks.now ?? SAME;
    expect(await stop()).toEqual(running);
    expect(started).toHaveLength(2);
  });

  it('counts also when the check itself wrote what is ignored', async () => {
    const { stop, finish, started, files } = aSession();
    files.now = { work: 'w', all: 'before the build' };
    await stop();
    await finish(() => void (files.now = SAME));
    expect(await stop()).toEqual(passed({ late: true }));
    expect(started).toHaveLength(1);
  });

  it('is run again when it would complete the loop, and counts when that is in time', async () => {
    const { stop, finish, started } = aSession();
    await stop();
    await finish();
    const [answer] = await stop({ inTime: true, again: true });
    expect(answer).toMatchObject({ result: { result: 'passed' } });
    expect(answer).not.toHaveProperty('result.late');
    expect(started.map((start) => start.order.run)).toEqual([1, 2]);
  });

  it('that was late again counts then: two runs passed over the same files', async () => {
    const { stop, finish, started } = aSession();
    await stop();
    await finish();
    expect(await stop({ again: true })).toEqual(running);
    await finish();
    const [answer] = await stop();
    expect(answer).toMatchObject({ result: { result: 'passed' } });
    expect(answer).not.toHaveProperty('result.late');
    expect(await stop({ again: true })).toEqual([answer]);
    expect(started).toHaveLength(2);
  });

  it('that was late again, and fails, fails', async () => {
    const { stop, finish, answers } = aSession();
    answers.push('passed', 'failed');
    await stop();
    await finish();
    await stop({ again: true });
    await finish();
    expect(await stop()).toMatchObject([{ result: { result: 'failed' } }]);
  });
});

describe('one stop that two hooks report', () => {
  it('runs its checks once at a time: the second hook waits for the first, and then asks for itself', async () => {
    const { stop, started, forget } = aSession();
    await stop();
    forget();
    const file = resultFile().replace('.result.json', '.job.json');
    const begun = { ...(JSON.parse(readFileSync(file, 'utf8')) as object), outlived: false };
    // This process is the other hook, so it is alive.
    writeFileSync(file, JSON.stringify(begun));
    const [answer] = await stop();
    expect(answer).toMatchObject({ result: { unknown: 'still-running' } });
    expect(answer).not.toHaveProperty('result.voucher');
    expect(started).toHaveLength(1);
    rmSync(file);
    expect(await stop({ inTime: true })).toEqual(passed());
    expect(started).toHaveLength(2);
  });
});

describe('an answer that somebody else wrote', () => {
  it('counts for nothing, whatever it says', async () => {
    const { stop, finish, started } = aSession();
    await stop();
    const other = newSeal();
    const forged = {
      answers: [{ kind: 'check', result: aResult('unit', 'passed') }],
      before: SAME,
      after: SAME,
      run: 2,
    };
    for (const signature of ['', 'x', signWith(other.secret, JSON.stringify(forged))]) {
      writeFileSync(resultFile(), JSON.stringify({ ...forged, signature }));
      expect(await stop()).toEqual(running);
    }
    const begun = started.length;
    await finish();
    expect(await stop()).toEqual(passed({ late: true }));
    expect(started).toHaveLength(begun);
  });

  it.each<readonly [string, (found: JobResult) => object]>([
    ['answer', () => ({ answers: [{ kind: 'check', result: aResult('unit', 'passed') }] })],
    ['run', () => ({ run: 2 })],
    ['files', () => ({ before: SAME, after: SAME })],
  ])('counts for nothing when only its %s was changed', async (_, change) => {
    const { stop, finish, started, answers, files } = aSession();
    answers.push('failed');
    await stop();
    files.now = { work: 'x', all: 'x' };
    await finish();
    files.now = SAME;
    const found = readFound();
    writeFileSync(resultFile(), JSON.stringify({ ...found, ...change(found) }));
    expect(await stop()).toEqual(running);
    expect(started).toHaveLength(2);
  });

  it('counts for nothing without a voucher in the journal: its hook was killed', async () => {
    const { stop, finish, started, forget } = aSession();
    await stop();
    await finish();
    forget();
    expect(await stop()).toEqual(running);
    expect(started).toHaveLength(2);
  });

  it('counts for nothing in another loop', async () => {
    const one = aSession('b');
    await one.stop();
    await one.finish();
    const folder = path.join(home, 'jobs');
    const two = aSession('a');
    await two.stop();
    const name = readdirSync(path.join(folder, 'b')).find((file) => file.endsWith('.result.json')) ?? '';
    writeFileSync(resultFile(), readFileSync(path.join(folder, 'b', name)));
    expect(await two.stop()).toEqual(running);
  });

  it('hands its secret to nobody by a file', async () => {
    const { stop, started } = aSession();
    await stop();
    const secret = started[0]?.order.secret ?? newId();
    for (const name of readdirSync(path.join(home, 'jobs', 'a')))
      expect(readFileSync(path.join(home, 'jobs', 'a', name), 'utf8')).not.toContain(secret);
  });
});

describe('the files that an answer is about', () => {
  it('are those that are ignored too, and what tools make', async () => {
    const cwd = aRepository({ '.gitignore': 'out/\nnode_modules/\n' });
    put(cwd, { 'out/a.js': '1', 'node_modules/b/index.js': '1', 'dist/c.js': '1' });
    for (const file of ['out/a.js', 'node_modules/b/index.js', 'dist/c.js']) {
      const before = await fingerprintFiles(cwd);
      expect(await fingerprintFiles(cwd)).toEqual(before);
      put(cwd, { [file]: `longer than before: ${file}` });
      expect((await fingerprintFiles(cwd)).all).not.toBe(before.all);
    }
    const before = await fingerprintFiles(cwd);
    git(cwd, 'status');
    put(cwd, { '.tireless/notes.md': 'ours' });
    expect(await fingerprintFiles(cwd)).toEqual(before);
  });

  it('is unknown where there are none', async () => {
    expect(await fingerprintFiles(path.join(aProject(), 'gone'))).toEqual({ work: null, all: null });
  });
});

function noFiles(): FileLook {
  return { work: null, all: null };
}
