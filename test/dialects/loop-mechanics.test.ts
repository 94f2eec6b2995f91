import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { replay } from '../../src/core/journal.ts';
import type { LoopMechanicsOptions, StepResult } from '../../src/facades/loop-mechanics/index.ts';
import { fileTasks } from '../../src/facades/loop-mechanics/index.ts';
import { openFileStore } from '../../src/stores/file-store.ts';
import { aClock } from '../support/a-loop.ts';
import { faultOf } from '../support/fault-of.ts';
import { ALL_MET, GOAL, mechanicsFixture } from '../support/mechanics-fixture.ts';

const fixture = mechanicsFixture();

const done: StepResult = { ok: true, message: 'did it' };
const OTHER_SESSION = { ok: true, reason: expect.stringContaining('belongs to another session') as string };
const failed = (message: string): StepResult => ({ ok: false, error: { message } });

describe('start', () => {
  it('parses, scores, chooses the shape, writes the state file and creates the task', () => {
    const started = fixture.mechanics().start(GOAL, { budget: 25, maxIterations: 10 });
    if (started.kind !== 'started') throw new Error(started.kind);
    expect(started.score.points).toBeGreaterThanOrEqual(8);
    expect(fixture.onDisk()).toMatchObject({
      spec: GOAL,
      criteria: ['npm test passes', 'no lint errors'],
      criteriaStatus: { 'npm test passes': false, 'no lint errors': false },
      steps: ['write the test', 'fix the bug'],
      completedSteps: [],
      remainingSteps: ['write the test', 'fix the bug'],
      iteration: 1,
      status: 'in_progress',
      shape: 'tool',
      score: started.score.points,
      cost: 0,
      budget: 25,
      maxIterations: 10,
      startedAt: expect.any(String) as string,
      lastCheckpoint: expect.any(String) as string,
      errors: [],
    });
    expect(fileTasks(fixture.home, fixture.project).TaskGet(started.task.id)).toEqual(started.task);
    expect(started.task).toMatchObject({
      subject: 'Complete: Make `npm test` pass in src/auth:',
      status: 'in_progress',
      metadata: {
        iteration: 1,
        cost: 0,
        shape: 'tool',
        budget: 25,
        maxIterations: 10,
        remainingSteps: ['write the test', 'fix the bug'],
        errors: [],
      },
    });
    expect(started.task.description).toContain('- no lint errors');
  });

  it('asks first when the goal scores below five, unless the user names the shape', () => {
    expect(fixture.mechanics().start('make it better')).toMatchObject({
      kind: 'ask-first',
      score: { shape: 'ask-first' },
    });
    expect(existsSync(fixture.stateFile())).toBe(false);
    expect(fixture.mechanics().start('make it better', { shape: 'colleague' })).toMatchObject({
      kind: 'started',
      state: { shape: 'colleague' },
    });
  });

  it('does not write over a file that nobody can read', () => {
    mkdirSync(path.dirname(fixture.stateFile()));
    writeFileSync(fixture.stateFile(), '{ half of it');
    expect(faultOf(() => fixture.mechanics().start(GOAL)).code).toBe('STATE_FILE_INVALID');
    expect(readFileSync(fixture.stateFile(), 'utf8')).toBe('{ half of it');
  });

  it('does not overwrite a loop in progress', () => {
    fixture.mechanics().start(GOAL);
    const before = readFileSync(fixture.stateFile(), 'utf8');
    expect(fixture.mechanics().start('Make `npm run lint` pass in src/b.ts')).toMatchObject({ kind: 'already-active' });
    expect(readFileSync(fixture.stateFile(), 'utf8')).toBe(before);
  });
});

describe('pause and resume', () => {
  it('prints the reason and the resume command, and keeps the state', () => {
    const printed: string[] = [];
    const loop = fixture.mechanics({ print: (text) => printed.push(text) });
    loop.start(GOAL);
    loop.iterate(() => done);
    const paused = loop.pause('lunch');
    expect(paused).toMatchObject({ reason: 'lunch' });
    expect(paused?.resumeCommand).toMatch(/^tireless resume \S+$/u);
    expect(printed.join('\n')).toContain(
      `Paused: lunch\nNext step: fix the bug\nResume with: ${paused?.resumeCommand}`,
    );
    expect(fileTasks(fixture.home, fixture.project).TaskList()).toMatchObject([
      { status: 'in_progress', metadata: { remainingSteps: ['fix the bug'] } },
    ]);
  });

  it('reports that it is paused, why, and how it continues', () => {
    const loop = fixture.mechanics();
    loop.start(GOAL);
    const paused = loop.pause('lunch');
    const reason = `paused: lunch; resume with: ${paused?.resumeCommand}`;
    expect(fixture.check()).toEqual({ ok: true, reason });
    expect(loop.iterate(() => done)).toMatchObject({ step: null, ok: true, reason });
    expect(loop.complete()).toEqual({ kind: 'refused', reason });
    expect(loop.pause('dinner')).toMatchObject({ reason: 'lunch' });
    expect(fixture.check({}, 'session-2')).toEqual(OTHER_SESSION);
  });

  it('needs no reason', () => {
    const loop = fixture.mechanics();
    loop.start(GOAL);
    expect(loop.pause('')).toMatchObject({ reason: 'on request' });
    expect(loop.complete()).toMatchObject({ kind: 'refused', reason: expect.not.stringContaining('driver') as string });
  });

  it('names iterateAsync to a program whose step is async', () => {
    const loop = fixture.mechanics();
    loop.start(GOAL);
    const step = (async () => Promise.reject(new Error('later'))) as unknown as () => typeof done;
    expect(loop.iterate(step).error?.message).toContain('use iterateAsync for async steps');
  });

  it('continues at remainingSteps[0], also in another process and another session', () => {
    const first = fixture.mechanics();
    first.start(GOAL);
    first.iterate(() => done);
    first.pause('night');
    const second = fixture.mechanics({ session: 'session-2' });
    expect(second.announce()).toContain('Resume with: fix the bug');
    expect(second.resume()).toMatchObject({ next: 'fix the bug', state: { iteration: 2 } });
    expect(second.iterate(() => done).step).toBe('fix the bug');
    expect(fixture.check({}, 'session-1')).toEqual(OTHER_SESSION);
    expect(fixture.check({}, 'session-2')).toMatchObject({ ok: false });
  });

  it('is not taken over by a session that merely stops in the project', () => {
    fixture.mechanics().start(GOAL);
    expect(fixture.check({}, 'somebody-else')).toEqual(OTHER_SESSION);
    expect(fixture.check({}, 'session-1')).toMatchObject({ ok: false });
  });

  it('restores the state from the task when the file is lost', () => {
    const loop = fixture.mechanics();
    loop.start(GOAL);
    loop.iterate(() => done);
    rmSync(fixture.stateFile());
    expect(loop.resume()).toMatchObject({
      next: 'fix the bug',
      state: {
        spec: GOAL,
        iteration: 2,
        completedSteps: ['write the test'],
        criteria: ['npm test passes', 'no lint errors'],
      },
    });
  });

  it('restores the newest of several tasks, whatever their ids', () => {
    for (const text of ['first', 'second', 'third', 'fourth']) {
      const loop = fixture.mechanics();
      loop.start(`${GOAL} (${text})`);
      fixture.change({ status: 'stopped' });
      fixture.check();
    }
    const loop = fixture.mechanics();
    loop.start(GOAL);
    rmSync(fixture.stateFile());
    expect(loop.resume()).toMatchObject({ state: { spec: GOAL } });
  });

  it('keeps the task of its loop, also beside an older one for the same goal and when the request is edited', () => {
    fixture.mechanics().start(GOAL);
    fixture.change({ status: 'stopped' });
    fixture.check();
    const tasks = fileTasks(fixture.home, fixture.project);
    const [older] = tasks.TaskList();
    const started = fixture.mechanics().start(GOAL);
    if (started.kind !== 'started') throw new Error(started.kind);
    fixture.change({ spec: 'something else', completedSteps: ['write the test'] });
    fixture.check();
    expect(tasks.TaskGet(started.task.id)?.metadata).toMatchObject({
      iteration: 2,
      completedSteps: ['write the test'],
    });
    expect(tasks.TaskGet(older?.id ?? '')).toEqual(older);
  });

  it('continues after a limit when it is raised, without giving iterations back', () => {
    const loop = fixture.mechanics();
    loop.start(GOAL, { maxIterations: 1 });
    expect(loop.iterate(() => done)).toMatchObject({ ok: true, reason: 'stopped: iterations-max (limit 1)' });
    expect(loop.resume()).toBeNull();
    expect(loop.resume({ maxIterations: 2 })).toMatchObject({ next: 'fix the bug', state: { iteration: 2 } });
    expect(loop.iterate(() => done)).toMatchObject({
      step: 'fix the bug',
      ok: true,
      reason: 'stopped: iterations-max (limit 2)',
    });
  });

  it('has nothing to continue with where there is no loop', () => {
    expect([fixture.mechanics().resume(), fixture.mechanics().pause('x'), fixture.mechanics().announce()]).toEqual([
      null,
      null,
      null,
    ]);
  });
});

describe('complete', () => {
  it('verifies all criteria, marks file and task completed, and prints a summary report', () => {
    const printed: string[] = [];
    const loop = fixture.mechanics({ print: (text) => printed.push(text) });
    loop.start(GOAL);
    loop.iterate(() => done);
    loop.iterate(() => ({ ...done, criteria: ALL_MET, cost: 1.25 }));
    const completed = loop.complete();
    expect(completed).toMatchObject({ kind: 'completed', verified: false });
    expect(printed.join('\n')).toContain('[x] npm test passes');
    expect(printed.join('\n')).toContain('iterations: 3 of 20');
    expect(fixture.onDisk().status).toBe('completed');
    expect(fileTasks(fixture.home, fixture.project).TaskList()).toMatchObject([{ status: 'completed' }]);
  });

  it('writes a checkpoint into file and task', () => {
    const at = (ms: number): Pick<LoopMechanicsOptions, 'clock'> => ({ clock: { read: () => aClock(ms) } });
    fixture.mechanics(at(0)).start(GOAL);
    fixture.mechanics(at(1000)).iterate(() => ({ ...done, criteria: ALL_MET }));
    const before = fixture.onDisk().lastCheckpoint;
    fixture.mechanics(at(2000)).complete();
    expect(fixture.onDisk().lastCheckpoint).not.toBe(before);
    expect(fileTasks(fixture.home, fixture.project).TaskList()).toMatchObject([
      { status: 'completed', metadata: { lastCheckpoint: fixture.onDisk().lastCheckpoint } },
    ]);
  });

  it('is refused while a criterion is false', () => {
    const loop = fixture.mechanics();
    loop.start(GOAL);
    expect(loop.complete()).toEqual({ kind: 'refused', reason: 'unmet: npm test passes, no lint errors' });
    expect(fixture.onDisk().status).toBe('in_progress');
  });

  it('leaves a journal that replays the same', () => {
    const loop = fixture.mechanics();
    const started = loop.start(GOAL);
    if (started.kind !== 'started') throw new Error(started.kind);
    loop.iterate(() => failed('timeout'));
    loop.iterate(() => ({ ...done, criteria: ALL_MET }));
    loop.complete();
    const store = openFileStore({ home: fixture.home });
    const entries = store.entries(started.loop);
    store.close();
    expect(entries.at(-1)?.decision.kind).toBe('complete');
    expect(replay(entries).differences).toEqual([]);
  });
});
