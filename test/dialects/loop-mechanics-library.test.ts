import { existsSync, readFileSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { IterationResult, StepResult } from '../../src/facades/loop-mechanics/index.ts';
import { fileTasks } from '../../src/facades/loop-mechanics/index.ts';
import { faultOf } from '../support/fault-of.ts';
import { ALL_MET, GOAL, mechanicsFixture } from '../support/mechanics-fixture.ts';

const fixture = mechanicsFixture();

/** What a program without types returns. */
function iterateWith(returned: unknown): IterationResult {
  const loop = fixture.mechanics();
  loop.start(GOAL, { budget: 25 });
  return loop.iterate(() => returned as StepResult);
}

describe('a step that returns something else than a result', () => {
  it.each([
    [{ ok: false }, 'unknown', 'the step failed, and gave no error'],
    [{ ok: false, error: null }, 'unknown', 'the step failed, and gave no error'],
    [{ ok: false, error: 'connect ETIMEDOUT' }, 'transient', 'connect ETIMEDOUT'],
    [{ ok: false, error: new Error('2 tests failed') }, 'logic', '2 tests failed'],
    [{ ok: false, error: { message: 7 } }, 'unknown', '{"message":7}'],
    [{ ok: false, error: { message: 'x', class: 'odd' } }, 'unknown', 'x'],
    [undefined, 'unknown', 'the step returned nothing: it must return { ok: true } or { ok: false, error }'],
    [null, 'unknown', 'the step returned null'],
    ['done', 'unknown', 'the step returned "done"'],
    [{}, 'unknown', 'the step returned {}'],
    [{ ok: 'yes' }, 'unknown', 'the step returned {"ok":"yes"}'],
    [{ ok: true, cost: Number.NaN }, 'unknown', 'the step returned the cost NaN'],
    [{ ok: true, cost: -1 }, 'unknown', 'the step returned the cost -1'],
    [{ ok: true, cost: Infinity }, 'unknown', 'the step returned the cost Infinity'],
    [{ ok: true, cost: '0.4' }, 'unknown', 'the step returned the cost "0.4"'],
    [{ ok: true, criteria: { 'npm test passes': 'yes' } }, 'unknown', 'the step returned the criteria {'],
    [{ ok: true, criteria: ['npm test passes'] }, 'unknown', 'the step returned the criteria ['],
    [{ ok: true, message: 5 }, 'unknown', 'the step returned the message 5'],
    [{ ok: true, criteria: { 'typo passes': true } }, 'unknown', 'the step returned the criterion "typo passes"'],
  ])('failed, and is recorded as that: %j', (returned, errorClass, message) => {
    const result = iterateWith(returned);
    const error = { class: errorClass, step: 'write the test', message: expect.stringContaining(message) as string };
    expect(result.error).toMatchObject(error);
    expect(fixture.onDisk()).toMatchObject({
      cost: 0,
      completedSteps: [],
      criteriaStatus: { 'npm test passes': false, 'no lint errors': false },
      errors: [error],
    });
    expect(fileTasks(fixture.home, fixture.project).TaskList()).toMatchObject([{ metadata: { errors: [error] } }]);
  });

  it('failed in the same way when it is a promise of one', async () => {
    const loop = fixture.mechanics();
    loop.start(GOAL);
    const result = await loop.iterateAsync(async () => ({ ok: false }) as StepResult);
    expect(result.error).toMatchObject({ message: 'the step failed, and gave no error' });
  });

  it('takes null for what is not there', () => {
    const result = iterateWith({ ok: true, cost: null, criteria: null, message: null });
    expect(result.error).toBeUndefined();
    expect(fixture.onDisk().completedSteps).toEqual(['write the test']);
  });
});

describe('a number that is none', () => {
  it.each([
    { maxIterations: Number.NaN },
    { maxIterations: 0 },
    { maxIterations: -3 },
    { maxIterations: 2.5 },
    { maxIterations: 100_000 },
    { maxIterations: '5' },
    { budget: Number.NaN },
    { budget: -1 },
    { budget: Infinity },
    { budget: '25' },
  ])('is refused by start and resume before anything is written: %j', (options) => {
    const asked = options as { readonly maxIterations: number };
    const [name = ''] = Object.keys(options);
    const refused = faultOf(() => fixture.mechanics().start(GOAL, asked));
    expect(refused).toMatchObject({ code: 'USAGE', message: expect.stringContaining(name) as string });
    expect(existsSync(fixture.stateFile())).toBe(false);
    const loop = fixture.mechanics();
    loop.start(GOAL);
    loop.pause('lunch');
    const before = readFileSync(fixture.stateFile(), 'utf8');
    expect(faultOf(() => loop.resume(asked)).code).toBe('USAGE');
    expect(readFileSync(fixture.stateFile(), 'utf8')).toBe(before);
    expect(loop.iterate(() => ({ ok: true }))).toMatchObject({ step: null });
  });

  it.each([
    ['', {}],
    [' \n', {}],
    [7, {}],
    [GOAL, { criteria: 'npm test passes' }],
    [GOAL, { criteria: [''] }],
    [GOAL, { steps: [5] }],
    [GOAL, { shape: 'round' }],
    [GOAL, { max: 3 }],
  ])('is refused like every other wrong argument of start: %j %j', (spec, options) => {
    const asked = options as { readonly shape: 'tool' };
    expect(faultOf(() => fixture.mechanics().start(spec as string, asked)).code).toBe('USAGE');
    expect(existsSync(fixture.stateFile())).toBe(false);
  });
});

describe('start without criteria', () => {
  it('takes those of the goal, also for an empty list', () => {
    expect(fixture.mechanics().start(GOAL, { criteria: [] })).toMatchObject({
      state: { criteria: ['npm test passes', 'no lint errors'] },
    });
  });
});

describe('start in a place that a loop has left', () => {
  it.each(['session-1', 'session-2'])('starts a loop of its own after the file was deleted: in %s', (session) => {
    const first = fixture.mechanics().start(GOAL);
    fixture.mechanics().iterate(() => ({ ok: true, criteria: ALL_MET }));
    rmSync(fixture.stateFile());
    const loop = fixture.mechanics({ session });
    const second = loop.start(GOAL);
    if (first.kind !== 'started' || second.kind !== 'started') throw new Error(second.kind);
    expect(second.loop).not.toBe(first.loop);
    expect(second.state).toMatchObject({ iteration: 1, completedSteps: [] });
    expect(loop.iterate(() => ({ ok: true }))).toMatchObject({ step: 'write the test', ok: false });
    expect(second.task.metadata?.loop).toBe(second.loop);
  });

  it.each(['completed', 'stopped'])('starts a loop of its own after the file was set to %s', (status) => {
    const first = fixture.mechanics().start(GOAL);
    fixture.change({ status });
    const second = fixture.mechanics().start(GOAL);
    if (first.kind !== 'started' || second.kind !== 'started') throw new Error(second.kind);
    expect(second.loop).not.toBe(first.loop);
    expect(second.state).toMatchObject({ iteration: 1, status: 'in_progress' });
  });

  it('writes the raised limits into the file at a resume', () => {
    const loop = fixture.mechanics();
    loop.start(GOAL, { maxIterations: 1 });
    loop.iterate(() => ({ ok: true }));
    expect(loop.resume({ maxIterations: 3, budget: 5 })).toMatchObject({ state: { maxIterations: 3, budget: 5 } });
    expect(fixture.onDisk()).toMatchObject({ maxIterations: 3, budget: 5 });
    expect(fileTasks(fixture.home, fixture.project).TaskList()).toMatchObject([
      { metadata: { maxIterations: 3, budget: 5 } },
    ]);
  });

  it('writes no limits when the resume is refused', () => {
    const loop = fixture.mechanics();
    loop.start(GOAL, { maxIterations: 2 });
    loop.iterate(() => ({ ok: true }));
    loop.iterate(() => ({ ok: true }));
    fixture.change({ steps: ['edited'] });
    expect(loop.resume({ maxIterations: 1 })).toBeNull();
    expect(fixture.onDisk().maxIterations).toBe(2);
  });
});
