import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { StepResult } from '../../src/facades/loop-mechanics/index.ts';
import { fileTasks } from '../../src/facades/loop-mechanics/index.ts';
import { ALL_MET, GOAL, mechanicsFixture } from '../support/mechanics-fixture.ts';

const fixture = mechanicsFixture();

const done: StepResult = { ok: true, message: 'did it' };
const failed = (message: string): StepResult => ({ ok: false, error: { message } });

describe('iterate', () => {
  it('executes remainingSteps[0], and moves it when it succeeds', () => {
    const loop = fixture.mechanics();
    loop.start(GOAL);
    const seen: string[] = [];
    const first = loop.iterate((step) => {
      seen.push(step);
      return done;
    });
    expect(seen).toEqual(['write the test']);
    expect(first).toMatchObject({ ok: false, reason: 'unmet: npm test passes, no lint errors' });
    expect(fixture.onDisk()).toMatchObject({
      completedSteps: ['write the test'],
      remainingSteps: ['fix the bug'],
      iteration: 2,
    });
  });

  it('updates the task after every iteration', () => {
    const loop = fixture.mechanics();
    const started = loop.start(GOAL);
    if (started.kind !== 'started') throw new Error(started.kind);
    loop.iterate(() => ({ ...done, cost: 0.5 }));
    expect(fileTasks(fixture.home, fixture.project).TaskGet(started.task.id)?.metadata).toMatchObject({
      iteration: 2,
      cost: 0.5,
      completedSteps: ['write the test'],
      lastCheckpoint: fixture.onDisk().lastCheckpoint,
    });
  });

  it('adds a logic error to errors, lets the agent fix it, and counts it', () => {
    const loop = fixture.mechanics();
    loop.start(GOAL, { maxIterations: 2 });
    expect(loop.iterate(() => failed('2 tests failed'))).toMatchObject({ ok: false, error: { class: 'logic' } });
    expect(fixture.onDisk()).toMatchObject({
      iteration: 2,
      remainingSteps: ['write the test', 'fix the bug'],
      errors: [{ class: 'logic', step: 'write the test', message: '2 tests failed' }],
    });
    expect(loop.iterate(() => failed('1 test failed'))).toMatchObject({
      ok: true,
      reason: 'stopped: iterations-max (limit 2)',
    });
  });

  it('lets go when logic errors repeat and nothing moves: they count toward the circuit breaker', () => {
    const loop = fixture.mechanics();
    loop.start(GOAL, { maxIterations: 50 });
    const reasons = Array.from({ length: 4 }, () => loop.iterate(() => failed('2 tests failed')).reason);
    expect(reasons.slice(0, 3)).toEqual(Array.from({ length: 3 }, () => 'unmet: npm test passes, no lint errors'));
    expect(reasons[3]).toBe('stopped: no-progress (limit 3)');
  });

  it('continues to the maximum through logic errors while the steps change files', () => {
    const loop = fixture.mechanics();
    loop.start(GOAL, { maxIterations: 8 });
    const oks = Array.from({ length: 8 }, (_, turn) => {
      const { ok, reason } = loop.iterate(() => {
        writeFileSync(path.join(fixture.project, `part-${turn}.txt`), `part ${turn}`);
        return failed('Tests: 2 failed');
      });
      return ok ? reason : 'continues';
    });
    expect(oks).toEqual([...Array.from({ length: 7 }, () => 'continues'), 'stopped: iterations-max (limit 8)']);
  });

  it('prints the summary report when a step completes the loop, also with the last iteration allowed', () => {
    const printed: string[] = [];
    const loop = fixture.mechanics({ print: (text) => printed.push(text) });
    loop.start(GOAL, { maxIterations: 2 });
    loop.iterate(() => done);
    const last = loop.iterate(() => ({ ok: true, message: 'Done. <loop-complete>', criteria: ALL_MET }));
    expect(last).toMatchObject({ ok: true, reason: 'complete', report: printed[0] });
    expect(printed[0]).toContain('iterations: 2 of 2');
    expect(fileTasks(fixture.home, fixture.project).TaskList()).toMatchObject([{ status: 'completed' }]);
  });

  it('adds up what the steps cost without the errors of binary fractions', () => {
    const loop = fixture.mechanics();
    loop.start(GOAL);
    for (const cost of [0.1, 0.2]) loop.iterate(() => ({ ...done, cost }));
    expect(fixture.onDisk().cost).toBe(0.3);
  });

  it('retries a transient error once, then pauses, and counts neither', () => {
    const loop = fixture.mechanics();
    loop.start(GOAL);
    const first = loop.iterate(() => failed('connect ETIMEDOUT'));
    expect(first).toMatchObject({ ok: false, error: { class: 'transient' } });
    expect(first.paused).toBeUndefined();
    const second = loop.iterate(() => failed('connect ETIMEDOUT'));
    expect(second).toMatchObject({ ok: true, reason: 'paused: connect ETIMEDOUT' });
    expect(second.paused?.text).toContain('Resume with: tireless resume ');
    expect(fixture.onDisk()).toMatchObject({ iteration: 1, status: 'in_progress' });
    expect(fixture.onDisk().errors).toHaveLength(2);
  });

  it('starts counting transient errors anew after a success', () => {
    const loop = fixture.mechanics();
    loop.start(GOAL);
    loop.iterate(() => failed('timeout'));
    loop.iterate(() => done);
    expect(loop.iterate(() => failed('timeout')).paused).toBeUndefined();
  });

  it.each([
    ['blocking', 'EACCES: permission denied', 'Help is needed: '],
    ['unknown', 'it exploded', 'Guidance is needed: '],
  ])('pauses at once for an error that is %s, and keeps the state', (name, message, request) => {
    const printed: string[] = [];
    const loop = fixture.mechanics({ print: (text) => printed.push(text) });
    loop.start(GOAL);
    const result = loop.iterate(() => failed(message));
    expect(printed).toEqual([expect.stringContaining(`Paused: ${message}\n${request}`)]);
    expect(result).toMatchObject({ ok: true, error: { class: name }, paused: { reason: message } });
    expect(fixture.onDisk()).toMatchObject({ iteration: 1, remainingSteps: ['write the test', 'fix the bug'] });
    expect(loop.iterate(() => done)).toMatchObject({ step: null, ok: true });
  });

  it('keeps the beginning of a long error', () => {
    const loop = fixture.mechanics();
    loop.start(GOAL);
    const { reason } = loop.iterate(() => failed(`it exploded ${'x'.repeat(1_000_000)}`));
    expect(reason).toMatch(/^paused: it exploded x+ \[\d+ bytes left out\]$/u);
    expect(fixture.onDisk().errors?.[0]?.message.length).toBeLessThan(5000);
  });

  it('runs nothing and records nothing in another session', async () => {
    fixture.mechanics().start(GOAL);
    const before = readFileSync(fixture.stateFile(), 'utf8');
    const tasks = fileTasks(fixture.home, fixture.project).TaskList();
    const seen: string[] = [];
    const other = fixture.mechanics({ session: 'session-2' });
    const execute = (step: string): StepResult => {
      seen.push(step);
      return { ...done, criteria: ALL_MET, cost: 1 };
    };
    const refused = { step: null, ok: true, reason: expect.stringContaining('another session') as string };
    expect(other.iterate(execute)).toMatchObject(refused);
    expect(await other.iterateAsync(async (step) => execute(step))).toMatchObject(refused);
    expect(other.complete()).toMatchObject({ kind: 'refused' });
    expect(other.pause('mine')).toBeNull();
    expect(seen).toEqual([]);
    expect(readFileSync(fixture.stateFile(), 'utf8')).toBe(before);
    expect(fileTasks(fixture.home, fixture.project).TaskList()).toEqual(tasks);
  });

  it('records nothing when another session took the loop over while the step ran', () => {
    const loop = fixture.mechanics();
    loop.start(GOAL);
    const result = loop.iterate(() => {
      fixture.mechanics({ session: 'session-2' }).resume();
      return { ...done, criteria: ALL_MET };
    });
    expect(result).toMatchObject({ ok: true, reason: expect.stringContaining('another session') as string });
    expect(fixture.onDisk()).toMatchObject({ completedSteps: [], iteration: 1 });
    expect(fixture.onDisk().criteriaStatus).toEqual({ 'npm test passes': false, 'no lint errors': false });
  });

  it('continues with a file that somebody wrote by hand, also after an earlier loop', () => {
    const loop = fixture.mechanics();
    loop.start(GOAL, { maxIterations: 1 });
    loop.iterate(() => done);
    const byHand = { criteria: ['a'], criteriaStatus: { a: false }, steps: ['s'], remainingSteps: ['s'], iteration: 1 };
    writeFileSync(fixture.stateFile(), JSON.stringify({ spec: 'by hand', ...byHand, status: 'in_progress' }));
    expect(loop.iterate(() => done)).toMatchObject({ step: 's', ok: false, reason: 'unmet: a' });
  });

  it('records an error that a step throws like one that it returns', async () => {
    const loop = fixture.mechanics();
    loop.start(GOAL);
    const refusedConnection = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:80'), { code: 'ECONNREFUSED' });
    const thrown = loop.iterate(() => {
      throw new TypeError('fetch failed', { cause: refusedConnection });
    });
    const message = 'fetch failed: connect ECONNREFUSED 127.0.0.1:80';
    expect(thrown).toMatchObject({ step: 'write the test', ok: false, error: { class: 'transient', message } });
    expect(fixture.onDisk()).toMatchObject({ iteration: 1, errors: [{ class: 'transient', step: 'write the test' }] });
    const rejected = await loop.iterateAsync(() =>
      // What `execFileSync('npm', ['test'])` throws: the runner prints on stdout.
      Promise.reject(Object.assign(new Error('Command failed'), { stdout: Buffer.from('Tests: 2 failed'), status: 1 })),
    );
    expect(rejected).toMatchObject({ ok: false, error: { class: 'logic', message: 'Command failed' } });
    expect(fixture.onDisk()).toMatchObject({ iteration: 2 });
    expect(
      loop.iterate(() => {
        // oxlint-disable-next-line no-throw-literal, typescript/only-throw-error -- A program may.
        throw 'it exploded';
      }),
    ).toMatchObject({
      ok: true,
      error: { class: 'unknown', message: 'it exploded' },
      paused: { reason: 'it exploded' },
    });
  });

  it('waits for an asynchronous step', async () => {
    const loop = fixture.mechanics();
    loop.start(GOAL);
    const result = await loop.iterateAsync(async (step) => {
      await Promise.resolve();
      return { ok: true, message: step };
    });
    expect(result.step).toBe('write the test');
    expect(fixture.onDisk().completedSteps).toEqual(['write the test']);
  });

  it('stops when the budget is used up', () => {
    const loop = fixture.mechanics();
    loop.start(GOAL, { budget: 1 });
    expect(loop.iterate(() => ({ ...done, cost: 0.6 }))).toMatchObject({ ok: false });
    expect(loop.iterate(() => ({ ...done, cost: 0.6 }))).toMatchObject({
      ok: true,
      reason: 'stopped: cost-max (limit 1)',
    });
    expect(fixture.onDisk().status).toBe('halted');
  });

  it('says what to do when there is a budget and nobody says the cost', () => {
    const printed: string[] = [];
    const loop = fixture.mechanics({ print: (text) => printed.push(text) });
    loop.start(GOAL, { budget: 1 });
    loop.iterate(() => done);
    expect(printed[0]).toContain('cost');
    expect(printed[0]).not.toContain('usage-unknown');
  });
});

describe('the cost', () => {
  it('is known when every step was free', () => {
    const loop = fixture.mechanics();
    loop.start(GOAL, { budget: 1 });
    expect(loop.iterate(() => ({ ...done, cost: 0 })).paused).toBeUndefined();
  });

  it('counts as soon as the file has it: a loop that paused for it continues', () => {
    const loop = fixture.mechanics();
    loop.start(GOAL, { budget: 1 });
    expect(loop.iterate(() => done).paused).toBeDefined();
    fixture.change({ cost: 0.4 });
    loop.resume();
    expect(loop.iterate(() => done)).toMatchObject({ ok: false });
    fixture.change({ cost: 1.2 });
    expect(fixture.check()).toEqual({ ok: true, reason: 'stopped: cost-max (limit 1)' });
  });
});
