import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { replay } from '../../src/core/journal.ts';
import type {
  LoopMechanics,
  LoopMechanicsOptions,
  LoopState,
  StepResult,
} from '../../src/facades/loop-mechanics/index.ts';
import { fileTasks, openLoopMechanics, stopCheck } from '../../src/facades/loop-mechanics/index.ts';
import { openFileStore } from '../../src/stores/file-store.ts';

const GOAL =
  'Make `npm test` pass in src/auth:\n1. write the test\n2. fix the bug\n\nDone when:\n- npm test passes\n- no lint errors';
const ALL_MET = { 'npm test passes': true, 'no lint errors': true };

let folder: string;
let project: string;
let home: string;
let opened: LoopMechanics[];

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tireless-mechanics-'));
  project = path.join(folder, 'project');
  home = path.join(folder, 'home');
  mkdirSync(project);
  opened = [];
});

afterEach(() => {
  for (const each of opened) each.close();
  rmSync(folder, { recursive: true, force: true });
});

function mechanics(more: Partial<LoopMechanicsOptions> = {}): LoopMechanics {
  const made = openLoopMechanics({ project, session: 'session-1', home, ...more });
  opened.push(made);
  return made;
}

function stateFile(): string {
  return path.join(project, '.loop', 'state.json');
}

function onDisk(): LoopState {
  return JSON.parse(readFileSync(stateFile(), 'utf8')) as LoopState;
}

function change(changes: Partial<LoopState>): void {
  writeFileSync(stateFile(), JSON.stringify({ ...onDisk(), ...changes }));
}

function check(more: Record<string, unknown> = {}, session = 'session-1'): { ok: boolean; reason: string } {
  const payload = { session_id: session, cwd: project, hook_event_name: 'Stop', last_assistant_message: 'hm', ...more };
  const reply = stopCheck(JSON.stringify(payload), { home });
  expect(reply).toMatchObject({ stderr: '', exitCode: 0 });
  return JSON.parse(reply.stdout) as { ok: boolean; reason: string };
}

const done: StepResult = { ok: true, message: 'did it' };
const failed = (message: string): StepResult => ({ ok: false, error: { message } });

describe('start', () => {
  it('parses, scores, chooses the shape, writes the state file and creates the task', () => {
    const started = mechanics().start(GOAL, { budget: 25, maxIterations: 10 });
    if (started.kind !== 'started') throw new Error(started.kind);
    expect(started.score.points).toBeGreaterThanOrEqual(8);
    expect(onDisk()).toMatchObject({
      spec: GOAL,
      criteria: ['npm test passes', 'no lint errors'],
      criteriaStatus: { 'npm test passes': false, 'no lint errors': false },
      steps: ['write the test', 'fix the bug'],
      completedSteps: [],
      remainingSteps: ['write the test', 'fix the bug'],
      iteration: 1,
      status: 'in_progress',
      shape: 'tool',
      budget: 25,
      maxIterations: 10,
      errors: [],
    });
    expect(fileTasks(home, project).TaskGet(started.task.id)).toEqual(started.task);
    expect(started.task).toMatchObject({
      subject: 'Complete: Make `npm test` pass in src/auth:',
      status: 'in_progress',
      metadata: {
        iteration: 1,
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
    expect(mechanics().start('make it better')).toMatchObject({ kind: 'ask-first', score: { shape: 'ask-first' } });
    expect(existsSync(stateFile())).toBe(false);
    expect(mechanics().start('make it better', { shape: 'colleague' })).toMatchObject({
      kind: 'started',
      state: { shape: 'colleague' },
    });
  });

  it('does not overwrite a loop in progress', () => {
    mechanics().start(GOAL);
    const before = readFileSync(stateFile(), 'utf8');
    expect(mechanics().start('Make `npm run lint` pass in src/b.ts')).toMatchObject({ kind: 'already-active' });
    expect(readFileSync(stateFile(), 'utf8')).toBe(before);
  });
});

describe('iterate', () => {
  it('executes remainingSteps[0], and moves it when it succeeds', () => {
    const loop = mechanics();
    loop.start(GOAL);
    const seen: string[] = [];
    const first = loop.iterate((step) => {
      seen.push(step);
      return done;
    });
    expect(seen).toEqual(['write the test']);
    expect(first).toMatchObject({ ok: false, reason: 'unmet: npm test passes, no lint errors' });
    expect(onDisk()).toMatchObject({
      completedSteps: ['write the test'],
      remainingSteps: ['fix the bug'],
      iteration: 2,
    });
  });

  it('updates the task after every iteration', () => {
    const loop = mechanics();
    const started = loop.start(GOAL);
    if (started.kind !== 'started') throw new Error(started.kind);
    loop.iterate(() => ({ ...done, cost: 0.5 }));
    expect(fileTasks(home, project).TaskGet(started.task.id)?.metadata).toMatchObject({
      iteration: 2,
      cost: 0.5,
      completedSteps: ['write the test'],
      lastCheckpoint: onDisk().lastCheckpoint,
    });
  });

  it('adds a logic error to errors, lets the agent fix it, and counts it', () => {
    const loop = mechanics();
    loop.start(GOAL, { maxIterations: 2 });
    expect(loop.iterate(() => failed('2 tests failed'))).toMatchObject({ ok: false, error: { class: 'logic' } });
    expect(onDisk()).toMatchObject({
      iteration: 2,
      remainingSteps: ['write the test', 'fix the bug'],
      errors: [{ class: 'logic', step: 'write the test', message: '2 tests failed' }],
    });
    expect(loop.iterate(() => failed('1 test failed'))).toMatchObject({
      ok: true,
      reason: 'stopped: iterations-max (limit 2)',
    });
  });

  it('retries a transient error once, then pauses, and counts neither', () => {
    const loop = mechanics();
    loop.start(GOAL);
    const first = loop.iterate(() => failed('connect ETIMEDOUT'));
    expect(first).toMatchObject({ ok: false, error: { class: 'transient' } });
    expect(first.paused).toBeUndefined();
    const second = loop.iterate(() => failed('connect ETIMEDOUT'));
    expect(second).toMatchObject({ ok: true, reason: 'paused: connect ETIMEDOUT' });
    expect(second.paused?.text).toContain('Resume with: tireless resume ');
    expect(onDisk()).toMatchObject({ iteration: 1, status: 'in_progress' });
    expect(onDisk().errors).toHaveLength(2);
  });

  it('starts counting transient errors anew after a success', () => {
    const loop = mechanics();
    loop.start(GOAL);
    loop.iterate(() => failed('timeout'));
    loop.iterate(() => done);
    expect(loop.iterate(() => failed('timeout')).paused).toBeUndefined();
  });

  it.each([
    ['blocking', 'EACCES: permission denied'],
    ['unknown', 'it exploded'],
  ])('pauses at once for an error that is %s, and keeps the state', (name, message) => {
    const loop = mechanics();
    loop.start(GOAL);
    const result = loop.iterate(() => failed(message));
    expect(result).toMatchObject({ ok: true, error: { class: name }, paused: { reason: message } });
    expect(onDisk()).toMatchObject({ iteration: 1, remainingSteps: ['write the test', 'fix the bug'] });
    expect(loop.iterate(() => done)).toMatchObject({ step: null, ok: true });
  });

  it('waits for an asynchronous step', async () => {
    const loop = mechanics();
    loop.start(GOAL);
    const result = await loop.iterateAsync(async (step) => {
      await Promise.resolve();
      return { ok: true, message: step };
    });
    expect(result.step).toBe('write the test');
    expect(onDisk().completedSteps).toEqual(['write the test']);
  });

  it('stops when the budget is used up', () => {
    const loop = mechanics();
    loop.start(GOAL, { budget: 1 });
    expect(loop.iterate(() => ({ ...done, cost: 0.6 }))).toMatchObject({ ok: false });
    expect(loop.iterate(() => ({ ...done, cost: 0.6 }))).toMatchObject({
      ok: true,
      reason: 'stopped: cost-max (limit 1)',
    });
    expect(onDisk().status).toBe('halted');
  });
});

describe('pause and resume', () => {
  it('prints the reason and the resume command, and keeps the state', () => {
    const printed: string[] = [];
    const loop = mechanics({ print: (text) => printed.push(text) });
    loop.start(GOAL);
    loop.iterate(() => done);
    const paused = loop.pause('lunch');
    expect(paused).toMatchObject({ reason: 'lunch' });
    expect(paused?.resumeCommand).toMatch(/^tireless resume \S+$/u);
    expect(printed.join('\n')).toContain(
      `Paused: lunch\nNext when it goes on: fix the bug\nResume with: ${paused?.resumeCommand}`,
    );
    expect(check()).toEqual({ ok: true, reason: 'no active loop' });
    expect(fileTasks(home, project).TaskList()).toMatchObject([
      { status: 'in_progress', metadata: { remainingSteps: ['fix the bug'] } },
    ]);
  });

  it('goes on at remainingSteps[0], also in another process and another session', () => {
    const first = mechanics();
    first.start(GOAL);
    first.iterate(() => done);
    first.pause('night');
    const second = mechanics({ session: 'session-2' });
    expect(second.announce()).toContain('Resume with: fix the bug');
    expect(second.resume()).toMatchObject({ next: 'fix the bug', state: { iteration: 2 } });
    expect(second.iterate(() => done).step).toBe('fix the bug');
    expect(check({}, 'session-1')).toEqual({ ok: true, reason: 'no active loop' });
    expect(check({}, 'session-2')).toMatchObject({ ok: false });
  });

  it('is not taken over by a session that merely stops in the project', () => {
    mechanics().start(GOAL);
    expect(check({}, 'somebody-else')).toEqual({ ok: true, reason: 'no active loop' });
    expect(check({}, 'session-1')).toMatchObject({ ok: false });
  });

  it('restores the state from the task when the file is lost', () => {
    const loop = mechanics();
    loop.start(GOAL);
    loop.iterate(() => done);
    rmSync(stateFile());
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

  it('goes on after a limit when it is raised, without giving iterations back', () => {
    const loop = mechanics();
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

  it('has nothing to go on with where there is no loop', () => {
    expect([mechanics().resume(), mechanics().pause('x'), mechanics().announce()]).toEqual([null, null, null]);
  });
});

describe('complete', () => {
  it('verifies all criteria, marks file and task completed, and prints a summary report', () => {
    const printed: string[] = [];
    const loop = mechanics({ print: (text) => printed.push(text) });
    loop.start(GOAL);
    loop.iterate(() => done);
    loop.iterate(() => ({ ...done, criteria: ALL_MET, cost: 1.25 }));
    const completed = loop.complete();
    expect(completed).toMatchObject({ kind: 'completed', verified: false });
    expect(printed.join('\n')).toContain('[x] npm test passes');
    expect(printed.join('\n')).toContain('iterations: 3 of 20');
    expect(onDisk().status).toBe('completed');
    expect(fileTasks(home, project).TaskList()).toMatchObject([{ status: 'completed' }]);
  });

  it('is refused while a criterion is false', () => {
    const loop = mechanics();
    loop.start(GOAL);
    expect(loop.complete()).toEqual({ kind: 'refused', reason: 'unmet: npm test passes, no lint errors' });
    expect(onDisk().status).toBe('in_progress');
  });

  it('leaves a journal that replays the same', () => {
    const loop = mechanics();
    const started = loop.start(GOAL);
    if (started.kind !== 'started') throw new Error(started.kind);
    loop.iterate(() => failed('timeout'));
    loop.iterate(() => ({ ...done, criteria: ALL_MET }));
    loop.complete();
    const store = openFileStore({ home });
    const entries = store.entries(started.loop);
    store.close();
    expect(entries.at(-1)?.decision.kind).toBe('complete');
    expect(replay(entries).differences).toEqual([]);
  });
});

describe('stopCheck', () => {
  it('answers with nothing but ok and reason, and exit code 0', () => {
    expect(stopCheck({ session_id: 's', cwd: project }, { home })).toEqual({
      stdout: '{"ok":true,"reason":"no active loop"}\n',
      stderr: '',
      exitCode: 0,
    });
    mechanics().start(GOAL);
    expect(check()).toEqual({ ok: false, reason: 'unmet: npm test passes, no lint errors' });
  });

  it('is complete with the tag and all criteria', () => {
    mechanics().start(GOAL);
    change({ criteriaStatus: ALL_MET });
    expect(check({ last_assistant_message: '<loop-complete>' })).toEqual({ ok: true, reason: 'complete' });
  });

  it('reads the last message from the transcript when it is given a reader', () => {
    mechanics().start(GOAL);
    change({ criteriaStatus: ALL_MET });
    const payload = { session_id: 'session-1', cwd: project, transcript_path: '/t.jsonl' };
    const reply = stopCheck(payload, { home, lastMessageIn: (file) => `${file} <loop-complete>` });
    expect(reply.stdout).toBe('{"ok":true,"reason":"complete"}\n');
  });

  it.each(['', '{', 'null', '{"session_id":"","cwd":"/x"}', '{"cwd":"/x"}'])(
    'lets the agent stop on the input %j',
    (input) => {
      expect(JSON.parse(stopCheck(input, { home }).stdout)).toMatchObject({ ok: true });
    },
  );

  it('lets the agent stop, and says why, when loops cannot be kept', () => {
    mechanics().start(GOAL);
    writeFileSync(path.join(folder, 'a-file'), '');
    const payload = { session_id: 'session-1', cwd: project };
    expect(JSON.parse(stopCheck(payload, { home: path.join(folder, 'a-file') }).stdout)).toMatchObject({
      ok: true,
      reason: expect.stringContaining('Cannot keep loops') as string,
    });
  });

  it('lets go after three evaluations in a row with stop_hook_active in which nothing moved', () => {
    mechanics().start(GOAL);
    const answers = [false, true, true, true].map((active) => check({ stop_hook_active: active }));
    expect(answers.map(({ ok }) => ok)).toEqual([false, false, false, true]);
    expect(answers.at(-1)?.reason).toBe('stopped: no-progress (limit 3)');
  });

  it('goes on for as many evaluations as the limits allow while steps or criteria move', () => {
    mechanics().start(GOAL, { maxIterations: 8 });
    const oks = Array.from({ length: 8 }, (_, turn) => {
      change({ completedSteps: Array.from({ length: turn }, (__, step) => `step ${step}`) });
      return check({ stop_hook_active: turn > 0 }).ok;
    });
    expect(oks).toEqual([...Array.from({ length: 7 }, () => false), true]);
  });

  it('begins a new row when the user spoke in between', () => {
    mechanics().start(GOAL);
    const actives = [false, true, true, false, true, true, true];
    expect(actives.map((active) => check({ stop_hook_active: active }).ok)).toEqual([
      ...Array.from({ length: 6 }, () => false),
      true,
    ]);
  });
});
